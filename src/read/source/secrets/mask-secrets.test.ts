// Are secrets hidden, and nothing else? Keys are put together here, so that this file holds none.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { canaryKinds } from '../../../../test/canaries.ts'
import { processorTime } from '../../../../test/processor-time.ts'
import { looksRandom } from './looks-random.ts'
import { maskSecrets } from './mask-secrets.ts'

const random = 'q7XvT2mKp9RzLw4BnYc8'
const masked = (text: string): string => maskSecrets(text).text

test.each([
  ['an AWS key', `id: ${'AKI'}A${'Q3EGRIAB2CDEFGHJ'}`, 'id: AKIA⟦masked:aws-key⟧'],
  ['a GitHub token', `${'gh'}p_${random}${random}`, 'ghp_⟦masked:github-token⟧'],
  ['a token after an escape', `"a\\n${'gh'}p_${random}${random}"`, '"a\\nghp_⟦masked:github-token⟧"'],
  ['a database login', `postgres://app:${random}@db/x`, 'postgres://app:⟦masked:password⟧@db/x'],
  ['a login with an at sign', 'mysql://app:W1nter@2024@db/x', 'mysql://app:⟦masked:password⟧@db/x'],
  ['a named value', `token: ${random}`, 'token: ⟦masked:secret⟧'],
  ['a named value in JSON', `{"apiKey": "${random}"}`, '{"apiKey": "⟦masked:secret⟧"}'],
  ['a password that somebody chose', 'password = "Winter2024!"', 'password = "⟦masked:secret⟧"'],
  ['a connection string', 'Server=db;Password=Winter24;', 'Server=db;Password=⟦masked:password⟧;'],
  [
    'a value whose first bytes read like a login when it is decoded',
    'client_secret: X0w6OncZwX5ZOLUpy5FyT0hUtUn25n4DLofxfCQfPucpDDyMpVO2TJQW0jrjSyWo',
    'client_secret: ⟦masked:secret⟧',
  ],
  ['a value again', `token: ${random}\nuse ${random}`, 'token: ⟦masked:secret⟧\nuse ⟦masked:secret⟧'],
])('hides %s', (_, text, expected) => {
  expect(masked(text)).toBe(expected)
})

test.each([
  'password = os.environ["DB_PASSWORD"]',
  'token := config.AccessTokenFromRequest2',
  'const apiKey = process.env.API_KEY_2024_PRODUCTION',
  'postgres://postgres:postgres@localhost:5432/test',
  'https://user:password@example.com/',
  'redis://:$REDIS_PASSWORD@cache',
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'Authorization: Basic dXNlcjpzZWNyZXQ=',
  'the secret of convertBase64ToUint8Array is patience',
  'sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b',
  'sk-circle-fade-dot-with-a-very-long-name-12',
  'http://localhost:8080/path@2',
  '-----BEGIN PRIVATE KEY-----\nMIIE...\n-----END PRIVATE KEY-----',
  `-----BEGIN CERTIFICATE-----\n${random.repeat(3)}\n-----END CERTIFICATE-----`,
  'password_expires_at: "2016-11-06T15:32:17.000000"',
])('leaves %j alone', (text) => {
  expect(maskSecrets(text)).toEqual({ text, masks: [] })
})

describe('a private key', () => {
  const body = [random.repeat(3), random.repeat(2)]
  const pem = (before: string, after: string, last = true): string =>
    [
      '-----BEGIN RSA PRIVATE KEY-----',
      'Proc-Type: 4,ENCRYPTED',
      ...body,
      ...(last ? ['-----END RSA PRIVATE KEY-----'] : ['', 'Then go on with the next step.']),
    ]
      .map((line) => before + line + after)
      .join('\n')

  test.each([
    ['alone', '', ''],
    ['in comments', '# ', ''],
    ['in strings', '  "', '\\n"'],
    ['in a quotation', '> ', '\r'],
  ])('is hidden %s, line by line', (_, before, after) => {
    const { text, masks } = maskSecrets(`first\n${pem(before, after)}\nlast`)
    expect(text.split('\n')).toEqual([
      'first',
      `${before}-----BEGIN RSA PRIVATE KEY-----${after}`,
      `${before}Proc-Type: 4,ENCRYPTED${after}`,
      `${before}⟦masked:private-key⟧${after}`,
      `${before}⟦…⟧${after}`,
      `${before}-----END RSA PRIVATE KEY-----${after}`,
      'last',
    ])
    expect(masks).toEqual([{ line: 4, kind: 'private-key' }])
  })

  it('is hidden on one line', () => {
    const text = masked(
      `{"private_key": "-----BEGIN PRIVATE KEY-----\\n${body.join('\\n')}\\n-----END PRIVATE KEY-----"}`,
    )
    expect(text).toContain('-----\\n⟦masked:private-key⟧\\n⟦…⟧\\n-----END')
  })

  it('is hidden without its end, and what follows is not', () => {
    const text = masked(pem('', '', false))
    expect(text).toContain('⟦masked:private-key⟧\n⟦…⟧\n\nThen go on with the next step.')
  })
})

it('keeps the number of lines, whatever is masked', () => {
  const piece = fc.constantFrom(
    `token: ${random}`,
    '-----BEGIN RSA PRIVATE KEY-----',
    '-----END RSA PRIVATE KEY-----',
    random.repeat(3),
    '\n',
    '\r\n',
    '"',
    'text',
    `a://b:${random}@c`,
    'password=',
  )
  const lines = (text: string): number => text.split(/\r\n?|\n/).length
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'grapheme' })), { maxLength: 30 }), (parts) => {
      const text = parts.join('')
      const result = maskSecrets(text)
      expect(lines(result.text)).toBe(lines(text))
      for (const { line } of result.masks) expect(result.text.split(/\r\n?|\n/)[line - 1]).toContain('⟦')
    }),
  )
})

it('masks what is masked no further', () => {
  const text = masked(`token: ${random}\npostgres://a:${random}@b\n${'gh'}p_${random}${random}`)
  expect(masked(text)).toBe(text)
})

test.each([
  'kX9vQ2mRt7Lp',
  random,
  '9f86d081884c7d659a2feaa0c55ad015',
  // Drawn, though many of their letters pair like those of words, or few digits stand between them.
  'PGdvormaJ39EWABVil5GrRaMpk8ogrsy',
  'qlhksatntkzDVS',
  'gdspnprvzhyxapoqviffjdmojprpbkmoxiavz5wcxfsw3xqbu4w8229tba95susc',
])('%s looks random', (text) => {
  expect(looksRandom(text)).toBe(true)
})

it('misses at most 1 in 10,000 drawn values of 32 characters beside a name', () => {
  const draw = canaryKinds(2).findLast((kind) => kind().text.startsWith('client_secret: '))!
  const missed = Array.from({ length: 20_000 }, () => draw().text).filter((text) => masked(text) === text)
  expect(missed.length).toBeLessThanOrEqual(2)
})

test.each([
  'getUserById2023',
  'application/json',
  'mipsisa64sb1-unknown',
  'x86_64-unknown-linux-gnu',
  '11111111111111111111',
  'TestCtlV3AuthLeaseGrantLeasesJWT',
  'BenchmarkStoreSetWithJson4096Bytes',
  'errSecPkcs12VerifyFailure',
  '20201026200250-cdc7c0759690',
  'org/git/11d46a399d26c913787b704d2b7169cafc28d639',
])('%s does not', (text) => {
  expect(looksRandom(text)).toBe(false)
})

test.each([
  'eyJ-',
  'eyJaaaaaaaaa.eyJ',
  'sk-',
  'AccountKey=',
  'password=',
  `token: ${random} `,
  'a://b:c@',
  '-----BEGIN PRIVATE KEY-----\n',
])('T14: a text of nothing but %j takes linear time', (seed) => {
  const timeOf = (chars: number): number => {
    const text = `${seed.repeat(chars / seed.length)}\u0001`
    const times = [0, 1, 2].map(() => {
      const started = processorTime()
      maskSecrets(text)
      return processorTime() - started
    })
    return Math.min(...times)
  }
  // Measured again on a busy machine; what is super-linear fails every time.
  const isLinear = (): boolean => timeOf(800_000) < 8 * Math.max(20, timeOf(200_000))
  expect(isLinear() || isLinear() || isLinear()).toBe(true)
})
