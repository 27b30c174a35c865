// Which faults would the tests not notice? Stryker changes the code of a few folders piece by piece and runs their tests.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'

/** What is mutated, and the tests that state its promises: not every test that happens to run it. */
const rooms = {
  path: {
    mutate: ['src/read/source/walk/corpus-path.ts'],
    tests: ['src/read/source/walk/corpus-path.test.ts'],
  },
  escape: {
    mutate: ['src/answer/assemble/escape-*.ts', '!src/answer/assemble/*.test.ts'],
    tests: ['src/answer/assemble/escape-*.test.ts', 'src/answer/assemble/parse-digest.test.ts'],
  },
  fit: { mutate: ['src/answer/assemble/fit-digest.ts'], tests: ['src/answer/assemble/fit-digest.test.ts'] },
  expand: {
    mutate: ['src/answer/expand/*.ts', '!src/answer/expand/*.test.ts'],
    tests: ['src/answer/expand/*.test.ts'],
  },
  store: {
    mutate: ['src/corpus/store/**/*.ts', '!src/corpus/store/**/*.test.ts'],
    tests: ['src/corpus/store/**/*.test.ts'],
  },
} as const
type Room = keyof typeof rooms

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '1' }, mutate: { type: 'string' } },
})
const chosen = (positionals.length > 0 ? positionals : Object.keys(rooms)) as Room[]
const unknown = chosen.find((room) => !(room in rooms))
if (unknown !== undefined) {
  console.error(`error: no room ${unknown}\nhint: one of ${Object.keys(rooms).join(', ')}`)
  process.exit(2)
}

const table = ['| file | mutants | killed | survived | score |', '|---|--:|--:|--:|--:|']
for (const room of chosen) {
  // Not by `testFiles` of Stryker: with those it leaves constants of a module as they are, whatever it reports.
  process.env['MUTATION_TESTS'] = rooms[room].tests.join()
  const results = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { related: false, pool: 'forks' },
    coverageAnalysis: 'perTest',
    mutate: values.mutate === undefined ? [...rooms[room].mutate] : [values.mutate],
    concurrency: Number(values.concurrency),
    // What was tried before and has changed in neither code nor tests is not tried again.
    incremental: true,
    incrementalFile: `reports/mutation/${room}.json`,
    reporters: ['progress-append-only', 'html'],
    htmlReporter: { fileName: `reports/mutation/${room}.html` },
    ignorePatterns: ['/dist', '/docs', '/lab', '/reports', '/assets/model'],
    // Stryker would rewrite tsconfig.json with an API that TypeScript 7 does not have; Node and vitest strip types without it.
    tsconfigFile: 'none',
    timeoutMS: 20_000,
    tempDirName: '.stryker-tmp',
    allowConsoleColors: false,
  }).runMutationTest()
  table.push(...tabulate(results))
}
console.log(table.join('\n'))

/** A line for each file. Code that no test runs counts as survived; a mutant that runs forever was noticed. */
function tabulate(results: readonly { readonly fileName: string; readonly status: string }[]): string[] {
  const counted = results.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError')
  return [...new Set(counted.map(({ fileName }) => fileName))].sort().map((fileName) => {
    const ofFile = counted.filter((result) => result.fileName === fileName)
    const killed = ofFile.filter(({ status }) => status === 'Killed' || status === 'Timeout').length
    const score = ((100 * killed) / ofFile.length).toFixed(1)
    return `| ${path.relative('', fileName)} | ${ofFile.length} | ${killed} | ${ofFile.length - killed} | ${score} % |`
  })
}
