import { expect, test } from 'vitest'
import { isSecretPath } from './secret-paths.ts'

test.each(
  (
    '.env app/.ENV .env.local .env.production.md server.pem tls/SERVER.KEY id_rsa id_rsa.pub ' +
    'id_ed25519_work.txt .npmrc home/.netrc credentials x.p12 vault.kdbx .aws/config.txt ' +
    'a/.SSH/notes.md secrets.txt Secrets.yaml secrets.prod.yaml credentials.json secrets.sh'
  ).split(' '),
)('%s is secret', (path) => {
  expect(isSecretPath(path)).toBe(true)
})

test.each(
  (
    '.env.example app/.env.sample docs/secrets.md docs/credentials.rst docs/environment.md my.env.md keys.md monkey.md ' +
    'credentials/README.md aws/notes.md ssh.md not_id_rsa.md secretsanta.txt src/credentials.rs ' +
    'pkg/secrets.go password.ts secret.test.ts lib/secrets.py'
  ).split(' '),
)('%s is not secret', (path) => {
  expect(isSecretPath(path)).toBe(false)
})
