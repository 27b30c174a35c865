// What does a pull request do to the documents? One comment that is kept up to date, a summary, and SARIF. No packages: it is its own bundle.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** By this the action knows its own comment again. */
const mark = '<!-- yore: documents and this change -->'
/** Of each list, so that a large change stays readable. */
const listed = 20
const weights = ['error', 'warning']
/** Lists of `yore links --json`: their rule, level and message. */
const kinds = {
  broken: ['broken-reference', 'error', ({ target }) => `${target} does not exist`],
  moved: [
    'moved-reference',
    'error',
    ({ target }, other) => `${target} does not exist; ${other} has its name`,
  ],
  ambiguous: ['ambiguous-reference', 'warning', ({ target }) => `${target} could mean several documents`],
  anchors: [
    'lost-anchor',
    'warning',
    ({ target }, other) => `${other} has no heading #${target.split('#')[1]}`,
  ],
  superseded: [
    'superseded-citation',
    'warning',
    ({ target }, other) =>
      `${target} is ${other === undefined ? 'no longer valid' : `superseded by ${other}`}`,
  ],
  stale: ['stale-document', 'warning', ({ target }, other) => `${target} is no longer in ${other}`],
}

const env = process.env
/** Inputs keep their dashes in the names of their variables. */
const input = (name, otherwise = '') => env[`INPUT_${name.toUpperCase()}`] || otherwise

/** What the checkout's program needs not know: the token, the inputs, and the files by which a step speaks to later ones. */
const withheld = /^(?:INPUT_|ACTIONS_|GITHUB_|GH_TOKEN$)/i
const shared = Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.test(name)))

const isInside = (place, folder) => {
  const below = path.relative(folder, place)
  return below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below)
}

const [program, ...words] = input('command', 'npx --no yore').split(' ')
const yore = (...args) =>
  execFileSync(program, [...words, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: shared,
    // `npx` is a script on Windows.
    shell: process.platform === 'win32',
  })

/** Names come from the pull request: shown as code they mention nobody and draw nothing. */
const code = (text) => `\`${String(text).replaceAll(/[`\r\n]/g, ' ')}\``

function list(title, lines) {
  if (lines.length === 0) return []
  const more = lines.length > listed ? [`- and ${lines.length - listed} more`] : []
  return ['', `**${title}**`, '', ...lines.slice(0, listed).map((line) => `- ${line}`), ...more]
}

/** With broken references, `yore links` exits with 1 and still prints its report. */
function yoreLinks() {
  try {
    return yore('links', '--json')
  } catch (error) {
    if (error.status !== 1 || !error.stdout) throw error
    return error.stdout
  }
}

function findProblems(links) {
  return Object.entries(kinds).flatMap(([kind, [rule, level, say]]) =>
    (links[kind] ?? []).map((link) => {
      const { path, line, candidates } = link
      return { rule, level, path, line, message: say(link, candidates[0]) }
    }),
  )
}

/** SARIF 2.1.0: the form in which GitHub takes findings. */
function renderSarif(findings) {
  const rules = Object.values(kinds).map(([id, level]) => ({ id, defaultConfiguration: { level } }))
  const results = findings.map(({ rule, level, path, line, message }) => ({
    ruleId: rule,
    level,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: {
            uri: path.split('/').map(encodeURIComponent).join('/'),
            uriBaseId: '%SRCROOT%',
          },
          region: { startLine: line },
        },
      },
    ],
  }))
  const run = { tool: { driver: { name: 'yore', rules } }, columnKind: 'utf16CodeUnits', results }
  return `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }, null, 2)}\n`
}

function describe(change, findings, elsewhere) {
  const documents = change.touched.filter(
    ({ kind }) => kind.startsWith('markdown') || kind.startsWith('text'),
  )
  const touched = [...new Set(documents.map(({ path }) => path))]
  const stale = change.stale.map(({ node, path, line, to }) => {
    const about = to === node.id ? '' : ` names ${code(to)}`
    return `${code(`${path}:${line}`)}${about}`
  })
  const parts = [
    ...list('May be stale: documents that name what changed, and did not change', stale),
    ...list(
      'Needs care in what this change touches',
      findings.map(({ path, line, message }) => `${code(`${path}:${line}`)} ${code(message)}`),
    ),
    ...list('Documents that this change touches', touched.map(code)),
  ]
  const rest = elsewhere > 0 ? `\n\n${elsewhere} findings elsewhere: \`yore links\` lists them.` : ''
  const nothing =
    parts.length === 0 ? '\nNo document is touched by this change or names what it touches.' : ''
  return `${mark}\n### Documents and this change\n${parts.join('\n')}${nothing}${rest}\n`
}

async function call(method, url, body) {
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${input('token')}`,
      'content-type': 'application/json',
      'user-agent': 'yore-action',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname} was answered ${response.status}`)
  return response
}

/** Changes the comment of an earlier run, or writes the first. */
async function comment(number, text) {
  const repository = `${env.GITHUB_API_URL ?? 'https://api.github.com'}/repos/${env.GITHUB_REPOSITORY}`
  for (let page = 1; ; page++) {
    const response = await call('GET', `${repository}/issues/${number}/comments?per_page=100&page=${page}`)
    const comments = await response.json()
    // Anybody may write the mark: only what a bot wrote is changed.
    const own = comments.find(({ body, user }) => body?.startsWith(mark) && user?.type === 'Bot')
    if (own !== undefined) return call('PATCH', `${repository}/issues/comments/${own.id}`, { body: text })
    if (comments.length < 100) break
  }
  return call('POST', `${repository}/issues/${number}/comments`, { body: text })
}

const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH ?? '', 'utf8'))
const pull = event.pull_request
if (pull === undefined) {
  console.log('::warning::yore comments on pull requests: this event is none')
  process.exit(0)
}
const checkout = realpathSync.native(process.cwd())
/** Started outside the checkout, and without its folders on PATH: a pull request may add a program of this name. */
const git = (...args) => {
  const folders = (env.PATH ?? '').split(path.delimiter)
  const PATH = folders.filter((folder) => path.isAbsolute(folder) && !isInside(folder, checkout))
  return execFileSync('git', ['-C', checkout, ...args], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
    env: { ...shared, PATH: PATH.join(path.delimiter) },
  }).trim()
}

/** Replaces the file: a link in the checkout is neither written through nor followed out of it. */
function writeSarif(name, text) {
  const folder = realpathSync.native(path.dirname(path.resolve(name)))
  if (!path.isAbsolute(name) && !isInside(folder, checkout))
    throw new Error(`sarif: ${name} leads out of the checkout`)
  const written = path.join(folder, `.yore-${randomUUID()}`)
  writeFileSync(written, text, { flag: 'wx' })
  renameSync(written, path.join(folder, path.basename(name)))
}

let base = pull.base.sha
try {
  base = git('merge-base', pull.base.sha, 'HEAD')
} catch {
  console.log('::warning::the base commit is not here: check out with `fetch-depth: 0`')
}
yore('index', '--quiet')
const change = JSON.parse(yore('outline', '--since', base, '--json'))
const findings = findProblems(JSON.parse(yoreLinks()))
writeSarif(input('sarif', 'yore.sarif'), renderSarif(findings))
const paths = new Set([...change.touched, ...change.stale.map(({ node }) => node)].map(({ path }) => path))
const here = findings.filter(({ path }) => paths.has(path))
const text = describe(change, here, findings.length - here.length)
if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, text)
try {
  await comment(pull.number, text)
} catch (error) {
  // The token of a fork may only read: the summary has it all.
  console.log(`::warning::no comment was written: ${error.message}`)
}
const failOn = weights.indexOf(input('fail-on', 'never'))
if (here.some(({ level }) => weights.indexOf(level) <= failOn)) {
  console.log('::error::documents that this change touches need care')
  process.exitCode = 1
}
