// Which secrets, in which places, must never be served? 40 kinds of both, drawn anew from a seed: none stands in this file.

/** mulberry32. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const lower = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const word = lower + lower.toUpperCase() + digits
const hex = `${digits}abcdef`

export interface Canary {
  /** What a file holds. */
  readonly text: string
  /** What must be hidden of it; lines of their own for a key of several lines. */
  readonly hidden: readonly string[]
}

/** Kinds of secrets; each draws a new one. */
export function canaryKinds(seed: number): readonly (() => Canary)[] {
  const random = makeRandom(seed)
  const draw = (count: number, from = word): string =>
    Array.from({ length: count }, () => from[Math.floor(random() * from.length)]).join('')
  const after =
    (before: string, count: number, from = word, rest = '') =>
    (): Canary => {
      const hidden = draw(count, from)
      return { text: before + hidden + rest, hidden: [hidden] }
    }
  const pem = (name: string, lines: number) => (): Canary => {
    const hidden = Array.from({ length: lines }, () => draw(64, `${word}+/`))
    return { text: [`-----BEGIN ${name}-----`, ...hidden, `-----END ${name}-----`].join('\n'), hidden }
  }
  const login = (before: string, rest: string) => after(before, 14, word, rest)
  return [
    after('AKIA', 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'),
    after('ASIA', 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'),
    after('aws_secret_access_key = ', 40, `${word}/+`),
    after('ghp_', 36),
    after('gho_', 36),
    after('ghs_', 36),
    after('github_pat_', 82, `${word}_`),
    after('glpat-', 20),
    after(`xoxb-`, 50, `${word}`),
    after('https://hooks.slack.com/services/T0', 40, `${word}/`),
    after('sk_live_', 24),
    after('rk_test_', 24),
    after('AIza', 35),
    after('GOCSPX-', 28),
    after('npm_', 36),
    after('//registry.npmjs.org/:_authToken=', 36),
    after('pypi-AgEIcHlwaS5vcmc', 80),
    after('sk-proj-', 80),
    after('sk-', 48),
    after('sk-ant-api03-', 93),
    after('hf_', 34),
    () => {
      const hidden = [draw(22), draw(43)]
      return { text: `SG.${hidden.join('.')}`, hidden }
    },
    () => {
      const hidden = [draw(60), draw(43)]
      return { text: `eyJhbGciOiJIUzI1NiJ9.eyJ${hidden.join('.')}`, hidden }
    },
    pem('RSA PRIVATE KEY', 3),
    pem('OPENSSH PRIVATE KEY', 3),
    pem('EC PRIVATE KEY', 2),
    pem('PGP PRIVATE KEY BLOCK', 3),
    login('postgres://orders:', '@db.internal:5432/orders'),
    login('mongodb+srv://orders:', '@cluster0.mongodb.net/x'),
    login('redis://:', '@cache:6379/0'),
    login('https://deploy:', '@git.internal/repo.git'),
    login('jdbc:mysql://db/orders?user=app&password=', '&useSSL=true'),
    login('Server=db;Database=orders;User Id=sa;Password=', ';Encrypt=true'),
    after('DefaultEndpointsProtocol=https;AccountName=x;AccountKey=', 86, word, '=='),
    after('dop_v1_', 64, hex),
    after('hvs.', 24),
    after('shpat_', 32, hex),
    after('SK', 32, hex),
    after('dckr_pat_', 27),
    after('AGE-SECRET-KEY-1', 58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'),
    after('Authorization: Bearer ', 40),
    after('API_KEY=', 32, hex),
    after('password = ', 24),
    after('client_secret: ', 32),
    () => {
      const body = Buffer.from(`-----BEGIN RSA PRIVATE KEY-----\n${draw(128)}\n`).toString('base64')
      return { text: body, hidden: [body.slice(20)] }
    },
  ]
}

const indent = (text: string, before: string): string => text.replaceAll(/^/gm, before)
const quote = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** Places: a path and the text of a file around a secret. */
export const canaryPlaces: readonly (readonly [path: string, write: (secret: string) => string])[] = [
  ['prose.md', (s) => `# Deploy\n\nUse ${s} to deploy.\n`],
  ['fence.md', (s) => `# Deploy\n\n\`\`\`sh\nexport X="${s}"\n\`\`\`\n`],
  ['table.md', (s) => `# Keys\n\n| name | value |\n|---|---|\n| prod | ${s.replaceAll('\n', ' ')} |\n`],
  ['front.md', (s) => `---\ntitle: Keys\nkey: "${quote(s)}"\n---\n\n# Keys\n\nText.\n`],
  ['heading.md', (s) => `# Key ${s.replaceAll('\n', ' ')}\n\nText.\n`],
  [
    'link.md',
    (s) =>
      `# Links\n\nSee [the page](https://x.internal/?q=${s.replaceAll(' ', '%20').replaceAll('\n', '%0A')}).\n`,
  ],
  ['list.md', (s) => `# Keys\n\n- staging:\n${indent(s, '  ')}\n- prod: none\n`],
  ['quote.md', (s) => `# Keys\n\n${indent(s, '> ')}\n`],
  ['inline-code.md', (s) => `# Keys\n\nRun \`login ${s.replaceAll('\n', ' ')}\` first.\n`],
  ['html-comment.md', (s) => `# Keys\n\n<!--\n${s}\n-->\n\nText.\n`],
  ['indented.md', (s) => `# Keys\n\n${indent(s, '    ')}\n`],
  ['config.yaml', (s) => `service:\n  name: orders\n  setting: |\n${indent(s, '    ')}\n`],
  ['values.yml', (s) => `service: { name: orders, setting: "${quote(s)}" }\n`],
  ['config.json', (s) => `{\n  "service": "orders",\n  "setting": "${quote(s)}"\n}\n`],
  ['app.ini', (s) => `[service]\nname = orders\nsetting = ${s}\n`],
  ['app.toml', (s) => `[service]\nname = "orders"\nsetting = """\n${s}\n"""\n`],
  ['app.properties', (s) => `service.name=orders\nservice.setting=${s}\n`],
  ['pom.xml', (s) => `<settings>\n  <server>\n    <setting>${s}</setting>\n  </server>\n</settings>\n`],
  ['page.html', (s) => `<html><body><p>${s}</p><script>const x = \`${s}\`</script></body></html>\n`],
  ['app.py', (s) => `SETTING = """${s}"""\n\ndef run():\n    return SETTING\n`],
  ['comment.py', (s) => `def run():\n${indent(s, '    # ')}\n    return 1\n`],
  ['docstring.py', (s) => `def run():\n    """Runs.\n\n${indent(s, '    ')}\n    """\n`],
  ['app.js', (s) => `const setting = \`${s}\`\nexport function run() {\n  return setting\n}\n`],
  ['app.ts', (s) => `export const setting: string = "${quote(s)}"\n`],
  ['default.ts', (s) => `export function run(setting = "${quote(s)}"): string {\n  return setting\n}\n`],
  ['app.go', (s) => `package app\n\nconst setting = \`${s}\`\n\nfunc Run() string { return setting }\n`],
  ['app.rs', (s) => `const SETTING: &str = r#"${s}"#;\nfn run() -> &'static str { SETTING }\n`],
  ['App.java', (s) => `class App {\n  static final String SETTING = "${quote(s)}";\n}\n`],
  ['app.c', (s) => `static const char *setting =\n${indent(s, '  "').replaceAll(/$/gm, '\\n"')};\n`],
  ['App.cs', (s) => `class App {\n  const string Setting = @"${s}";\n}\n`],
  ['app.rb', (s) => `SETTING = <<~TEXT\n${indent(s, '  ')}\nTEXT\n`],
  ['app.php', (s) => `<?php\n$setting = '${s}';\n`],
  ['app.kt', (s) => `val setting = """${s}"""\n`],
  ['run.sh', (s) => `#!/bin/sh\ncat > key <<EOF\n${s}\nEOF\n`],
  ['flags.sh', (s) => `#!/bin/sh\ncurl -H 'X-Key: ${s.replaceAll('\n', ' ')}' https://api.internal/v1\n`],
  ['Dockerfile', (s) => `FROM node:24\nENV SETTING="${quote(s)}"\n`],
  ['main.tf', (s) => `resource "x" "y" {\n  setting = "${quote(s)}"\n}\n`],
  ['seed.sql', (s) => `INSERT INTO settings VALUES ('orders', '${s}');\n`],
  ['notes.txt', (s) => `Notes of the deploy\n===================\n\nThe key is this one:\n\n${s}\n`],
  ['guide.rst', (s) => `Deploy\n======\n\n.. code-block:: text\n\n${indent(s, '   ')}\n`],
  ['log.adoc', (s) => `= Log\n\n----\n2026-01-02T03:04:05Z INFO login with ${s}\n----\n`],
  ['test/app.test.js', (s) => `test('logs in', () => {\n  login({ setting: \`${s}\` })\n})\n`],
]
