// Does the command line do what people's fingers expect? Real processes on a small folder.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { groups, loadSpecs } from '../src/offer/cli/commands.ts'
import { type Ran, runYore } from './run-command-line.ts'
import { makeFolder, writeFiles } from './temporary-corpus.ts'

const specs = await loadSpecs()
const home = makeFolder()
const root = path.join(home, 'repository')

function yore(
  args: readonly string[],
  options: { input?: string; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Ran {
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, 'config'),
    ...options.env,
  }
  const { input = '', cwd = root } = options
  return runYore(args, { cwd, env, input })
}

beforeAll(() => {
  writeFiles(root, {
    'docs/retry.md': '# Retry\n\nA retry waits longer each time.\n\n## Limits\n\nAt most five.\n',
    'docs/other.md': '# Other\n\nAnother page about the retry.\n',
  })
  yore(['index', '-q'])
})

describe('short flags', () => {
  it('-n, -C and -o do what the long ones do', () => {
    const hits = JSON.parse(
      yore(['search', 'retry', '-n', '1', '--json', '-C', root], { cwd: home }).stdout,
    ).hits
    expect(hits).toHaveLength(1)
    yore(['assemble', 'retry', '-o', path.join(home, 'digest.md')])
    expect(readFileSync(path.join(home, 'digest.md'), 'utf8')).toContain('A retry waits longer')
  })

  it('-q leaves data and errors, -v says how long it took', () => {
    expect(yore(['index', '-q'])).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(yore(['search', 'retry', '-v']).stderr).toMatch(/note: took \d+ ms\n$/)
    expect(yore(['search', 'retry', '--lang', 'xyz', '-q']).stderr).toContain('error:')
  })

  it('--color overrides what the environment says', () => {
    const coloured = '\u001b['
    expect(yore(['search', 'retry', '--color', 'always'], { env: { NO_COLOR: '1' } }).stdout).toContain(
      coloured,
    )
    expect(yore(['search', 'retry', '--color', 'never'], { env: { FORCE_COLOR: '1' } }).stdout).not.toContain(
      coloured,
    )
  })
})

describe('exit status', () => {
  it.each([
    [['search'], 2],
    [['serach', 'retry'], 2],
    [['search', 'retry', '--limt', '3'], 2],
    [['search', 'retry', '-n', '0'], 2],
    [['search', 'retry', '--color', 'blue'], 2],
    [['search', 'zzzqqq'], 0],
    [['search', 'zzzqqq', '--exit-code'], 3],
    [['search', 'retry', '--exit-code'], 0],
    [['assemble', 'zzzqqq', '--exit-code'], 3],
  ] as const)('of yore %j is %i', (args, status) => {
    expect(yore(args).status).toBe(status)
  })
})

it('reads a question of - from standard input', () => {
  expect(yore(['search', '-'], { input: 'retry waits\n' }).stdout).toContain('docs/retry.md')
  expect(yore(['search', '-'], { input: '\n' })).toMatchObject({ status: 2 })
})

it('prints JSON wherever data is printed', () => {
  const printing = specs.filter(({ name }) => !/^(mcp|ui|hook|setup|chat|watch|demo)$/.test(name))
  expect(printing.filter(({ options }) => options['json'] === undefined).map(({ name }) => name)).toEqual([])
  expect(JSON.parse(yore(['assemble', 'retry', '--json']).stdout)).toHaveProperty('schemaVersion')
  expect(JSON.parse(yore(['uses', 'docs/retry.md', '--json']).stdout)).toBeTypeOf('object')
})

it('groups help, names every command once, and stays within 80 columns', () => {
  const { stdout } = yore(['--help'])
  for (const group of groups) expect(stdout).toContain(`\n${group}:\n`)
  for (const { name } of specs.filter(({ name }) => !name.includes(' ')))
    expect(stdout.match(new RegExp(`^  ${name} `, 'gm')), name).toHaveLength(1)
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

it('prints the version for -v alone, too', () => {
  expect(yore(['-v']).stdout).toBe(yore(['--version']).stdout)
})

describe('yore config', () => {
  it('lists each value with its place, and names the file of the user', () => {
    writeFileSync(path.join(root, 'yore.json'), '{ "depth": 0, "maxTokens": 4000 }')
    const { stdout, stderr } = yore(['config'])
    expect(stdout).toContain('maxTokens = 4000  (yore.json)\n')
    expect(stderr).toContain(path.join(home, 'config', 'yore', 'config.json'))
    expect(JSON.parse(yore(['config', '--json']).stdout)).toContainEqual({
      name: 'depth',
      value: 0,
      place: 'yore.json',
    })
  })

  it('has a schema that takes what yore takes, $schema included', () => {
    const schema = JSON.parse(
      readFileSync(path.join(import.meta.dirname, '../schema/config.schema.json'), 'utf8'),
    )
    const check = new Ajv2020({ strict: true }).compile(schema)
    expect(check({ $schema: 'x', maxTokens: 4000, ignore: ['a'], llm: { url: 'http://x' } })).toBe(true)
    expect(check({ llm: { ulr: 'http://x' } })).toBe(false)
    expect(check({ maxTokens: '4000' })).toBe(false)
    expect(check({ depht: 1 })).toBe(false)
    writeFileSync(path.join(root, 'yore.json'), '{"$schema": "x"}')
    expect(yore(['config']).stdout).toContain('depth = 1\n')
  })
})
