// Is this file a test, generated, vendored, or a translation? Decided by its path.
import { lastSegment } from '../../../model/paths.ts'

const testFolders = new Set(
  'test tests __tests__ spec specs testing testdata fixtures __mocks__ e2e t'.split(' '),
)
const vendorFolders = new Set(
  (
    'vendor vendored third_party third-party node_modules external site-packages _vendor ' +
    'bower_components 3rdparty thirdparty externals'
  ).split(' '),
)
/** Codes of languages other than English, as paths of translations have them. */
export const languageCodes =
  'ar|be|bg|bn|ca|cs|da|de|el|es|et|fa|fi|fr|he|hi|hr|hu|id|it|ja|jp|ko|kr|lt|lv|ms|nb|ne|nl|no|pl|pt|ro|ru|sk|sl|sr|sv|ta|te|th|tr|uk|ur|uz|vi|zh|cn|tw'
const translated = new RegExp(
  `^(?:readme|contributing|changelog|code_of_conduct)[._-](?:${languageCodes})(?:[._-][a-z]{2,4})?\\.[a-z]+$`,
)
const builtFolders = new Set(
  'dist build out generated __generated__ gen single_include single_header amalgamation'.split(' '),
)

function segmentsOf(path: string): { folders: string[]; name: string } {
  const segments = path.toLowerCase().split('/')
  const name = segments.pop() as string
  return { folders: segments, name }
}

/** How each language names a test, by extension; matched against the name without the extension. */
const testNames: readonly (readonly [extensions: string, name: RegExp])[] = [
  ['py', /^test_|_tests?$|^(?:tests|conftest)$/],
  ['js mjs cjs jsx ts mts cts tsx vue svelte', /[._-](?:tests?|spec)$/],
  ['go exs dart', /_test$/],
  ['rb lua cr', /^test_|_(?:test|spec)$/],
  ['rs c h cc cpp cxx hpp zig nim jl r', /^test_|[._-]tests?$|[a-z]Tests?$|^(?:g?test|tests|unittests?)$/],
  ['java kt kts scala groovy cs fs php swift', /(?:Tests?|TestCase|Spec)$|^Test(?=[A-Z])/],
  ['sh bash zsh fish', /[._-](?:tests?|spec)$/],
  ['bats t', /(?:)/],
]
const testNameOf: ReadonlyMap<string, RegExp> = new Map(
  testNames.flatMap(([extensions, name]) => extensions.split(' ').map((one) => [one, name] as const)),
)

/** `tests/a.py`, `test_a.py`, `a_test.go`, `a.spec.ts`, `a.filetest`: a folder of tests, or a test name of its language. */
export function isTestPath(path: string): boolean {
  if (segmentsOf(path).folders.some((folder) => testFolders.has(folder))) return true
  const name = lastSegment(path)
  const dot = name.lastIndexOf('.')
  if (dot < 1) return false
  const extension = name.slice(dot + 1).toLowerCase()
  return /^[a-z]+tests?$/.test(extension) || testNameOf.get(extension)?.test(name.slice(0, dot)) === true
}

const madeOfWords = /[-_.]/g

/** The name that a file shares with its tests: `hooks` for `lib/hooks.js`, `test/hooks.test.js`, `test_hooks.py` and `hooks/index.ts`. */
export function testedName(path: string): string {
  const { folders, name } = segmentsOf(path)
  const own = name
    .replace(/\.[a-z]{1,5}$/, '')
    .replace(/^tests?[-_]|[-_.](?:tests?|spec)(?:[-_.]\w{1,40})?$/g, '')
    .replace(madeOfWords, '')
  if (!/^(?:index|mod|lib|main|init|tests?)$/.test(own)) return own
  const folder = folders.findLast((one) => one !== 'src' && one !== 'lib' && !testFolders.has(one))
  return (folder ?? own).replace(madeOfWords, '')
}

/** `caddytest/`, `.filetest`; but `latest/`, `contest/`. */
const namedForTests = /(?:^|\/)(?!(?:latest|greatest|fastest|contest|protest)\b)[\w.-]*[a-z]tests?(?:\/|$)/i

/** Documents that a test reads; a guide in `docs/testing/` does not count. */
export const isFixturePath = (path: string): boolean =>
  /(?:^|\/)(?:tests?|t|testdata|fixtures|__tests__|__mocks__)\//i.test(path) || namedForTests.test(path)

export function isVendoredPath(path: string): boolean {
  const { folders } = segmentsOf(path)
  // `deps` contains other projects at the top of a repository, but may be anything below.
  return folders[0] === 'deps' || folders.some((folder) => vendorFolders.has(folder))
}

/** `README.zh-CN.md`, `docs/README_ja.md`. */
export const isTranslatedPath = (path: string): boolean => translated.test(segmentsOf(path).name)

/** `dist/a.js`, `a.min.js`, `a_pb2.py`, `a.generated.ts`. */
export function isGeneratedPath(path: string): boolean {
  const { folders, name } = segmentsOf(path)
  if (folders.some((folder) => builtFolders.has(folder))) return true
  return /[._-]min\.[a-z]+$|_pb2(?:_grpc)?\.py$|\.pb\.go$|[._-]generated\.[a-z]+$|\.d\.ts$/.test(name)
}
