// Which paths are likely to hold secrets? They are never opened, whatever an ignore file says.
import { extensionOf } from '../../../model/paths.ts'

/** Folders whose whole content is private. */
const secretDirectories: ReadonlySet<string> = new Set(
  '.aws .azure .docker .gcloud .gnupg .kube .password-store .ssh'.split(' '),
)

const secretNames: ReadonlySet<string> = new Set(
  (
    '.bash_history .boto .dockercfg .env .envrc .git-credentials .htpasswd .my.cnf .mysql_history .netrc .npmrc .pgpass ' +
    '.psql_history .pypirc .python_history .s3cfg .vault-token .yarnrc .yarnrc.yml .zsh_history _netrc credentials secrets'
  ).split(' '),
)

const secretPrefixes: readonly string[] = ['.env.', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'id_rsa']

/** Shared templates that list variables; they are read. */
const templates: ReadonlySet<string> = new Set('.env.example .env.sample .env.template .env.dist'.split(' '))

const secretExtensions: ReadonlySet<string> = new Set(
  '.gpg .jks .kdb .kdbx .key .keystore .p12 .p8 .pem .pfx .pgp .ppk .tfstate .tfvars'.split(' '),
)

/**
 * `secrets.yaml` holds secrets; `secrets.md` explains them and `secrets.go` is a program about them. Programs and
 * documents are read, and likely secrets in them are masked.
 */
const secretStems: ReadonlySet<string> = new Set(['credentials', 'secret', 'secrets'])
const storeExtensions: ReadonlySet<string> = new Set(
  '.bak .bash .bat .cfg .cmd .conf .config .csv .dat .enc .env .ini .json .json5 .jsonc .old .plist .properties .ps1 .sh .sops .toml .tsv .txt .xml .yaml .yml .zsh'.split(
    ' ',
  ),
)

/** Is a file with this name private, wherever it lies? */
export function isSecretFileName(name: string): boolean {
  const lower = name.toLowerCase()
  if (templates.has(lower)) return false
  if (secretNames.has(lower)) return true
  if (secretPrefixes.some((prefix) => lower.startsWith(prefix))) return true
  const extension = extensionOf(lower)
  if (extension === '') return false
  if (secretExtensions.has(extension)) return true
  return secretStems.has(lower.slice(0, lower.indexOf('.'))) && storeExtensions.has(extension)
}

/** Is everything below a folder with this name private? */
export const isSecretDirectoryName = (name: string): boolean => secretDirectories.has(name.toLowerCase())

/**
 * Is this path likely to hold a secret? Compares whole segments and names, ignoring case.
 *
 * @example isSecretPath('config/.ENV.local') // true
 */
export function isSecretPath(path: string): boolean {
  const segments = path.split('/')
  const name = segments[segments.length - 1] ?? ''
  return isSecretFileName(name) || segments.some(isSecretDirectoryName)
}
