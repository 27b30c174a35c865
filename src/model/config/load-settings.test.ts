// Does the right place win, and does `status` learn which one it was?
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { settingNames, specOf } from './check-settings.ts'
import { environmentName, loadSettings } from './load-settings.ts'
import { defaultSettings } from './settings.ts'
import { userConfigPath } from './state-folder.ts'

let folder: string
let root: string
let env: Record<string, string>

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'yore-settings-'))
  root = path.join(folder, 'repository')
  env = { XDG_CONFIG_HOME: path.join(folder, 'home') }
  mkdirSync(root)
  mkdirSync(path.join(folder, 'home', 'yore'), { recursive: true })
})

const repositoryConfig = (value: unknown) =>
  writeFileSync(path.join(root, 'yore.json'), JSON.stringify(value))
const userConfig = (value: unknown) => writeFileSync(userConfigPath(env), JSON.stringify(value))
const envFile = (text: string) => writeFileSync(path.join(root, '.env'), text)

describe('loadSettings', () => {
  it('gives the defaults when nobody says anything', () => {
    const { settings, places, warnings } = loadSettings({ root, env })
    expect(settings).toEqual(defaultSettings)
    expect(new Set(Object.values(places))).toEqual(new Set(['default']))
    expect(warnings).toEqual([])
  })

  it('lets each place win over the ones before it', () => {
    repositoryConfig({ maxTokens: 5000, workers: 1, depth: 0, layout: 'brief' })
    userConfig({ maxTokens: 9000, workers: 0, depth: 2 })
    const { settings, places } = loadSettings({
      root,
      env: { ...env, YORE_WORKERS: '40' },
      flags: { depth: 1 },
    })
    expect(settings).toMatchObject({ maxTokens: 9000, workers: 40, depth: 1, layout: 'brief' })
    expect(places).toMatchObject({
      maxTokens: userConfigPath(env),
      workers: 'YORE_WORKERS',
      depth: '--depth',
      layout: 'yore.json',
      refresh: 'default',
    })
  })

  it('adds lists up and remembers both places', () => {
    repositoryConfig({ ignore: ['archive/'] })
    const { settings, places } = loadSettings({ root, env: { ...env, YORE_IGNORE: '*.log, tmp/,' } })
    expect(settings.ignore).toEqual(['archive/', '*.log', 'tmp/'])
    expect(places.ignore).toBe('yore.json and YORE_IGNORE')
  })

  it('warns and keeps the default when a repository raises a limit', () => {
    repositoryConfig({ maxTokens: 100_000 })
    envFile('MAX_EXPANSION_DEPTH=2\nEXPANSION_BUDGET=900\n')
    const { settings, warnings } = loadSettings({ root, env })
    expect(settings.maxTokens).toBe(8000)
    expect(settings.depth).toBe(1)
    expect(settings.expansionBudget).toBe(4)
    expect(warnings).toHaveLength(3)
  })

  it('reads EXPANSION_BUDGET and MAX_EXPANSION_DEPTH from .env when they lower, and from the environment in any case', () => {
    envFile('EXPANSION_BUDGET=2\nMAX_EXPANSION_DEPTH=0\n')
    const lowered = loadSettings({ root, env })
    expect(lowered.settings).toMatchObject({ expansionBudget: 2, depth: 0 })
    expect(lowered.places.expansionBudget).toBe('.env (EXPANSION_BUDGET)')
    const raised = loadSettings({ root, env: { ...env, EXPANSION_BUDGET: '9', MAX_EXPANSION_DEPTH: '2' } })
    expect(raised.settings).toMatchObject({ expansionBudget: 9, depth: 2 })
    expect(raised.places).toMatchObject({ expansionBudget: 'EXPANSION_BUDGET', depth: 'MAX_EXPANSION_DEPTH' })
    const named = loadSettings({ root, env: { ...env, EXPANSION_BUDGET: '9', YORE_EXPANSION_BUDGET: '7' } })
    expect(named.settings.expansionBudget).toBe(7)
  })

  it.each(['-1', '1.5', '4 or so', '0x4'])(
    'refuses EXPANSION_BUDGET=%j, which is no whole number',
    (text) => {
      envFile(`EXPANSION_BUDGET="${text}"\n`)
      expect(() => loadSettings({ root, env })).toThrow(
        '.env: EXPANSION_BUDGET must be a whole number from 0 to 1000',
      )
    },
  )

  it('lets .env lower the depth below what the user set, and no other name count', () => {
    userConfig({ depth: 2 })
    envFile('export MAX_EXPANSION_DEPTH="0" # none\nYORE_MAX_TOKENS=1\nmaxTokens=1\n')
    const { settings, places } = loadSettings({ root, env })
    expect(settings).toMatchObject({ depth: 0, maxTokens: 8000 })
    expect(places.depth).toBe('.env (MAX_EXPANSION_DEPTH)')
  })

  it('does not mind a folder called .env', () => {
    mkdirSync(path.join(root, '.env'))
    expect(loadSettings({ root, env }).settings).toEqual(defaultSettings)
  })

  it('names .env and the name when its depth is no number', () => {
    envFile('MAX_EXPANSION_DEPTH=many\n')
    expect(() => loadSettings({ root, env })).toThrow(
      '.env: MAX_EXPANSION_DEPTH must be a whole number from 0 to 2, not "many"',
    )
  })

  it.each(['0x10', '1e3', ' ', '-1', '1.5', 'ten', '9'.repeat(30)])('refuses YORE_MAX_TOKENS=%j', (text) => {
    expect(() => loadSettings({ root, env: { ...env, YORE_MAX_TOKENS: text } })).toThrow(
      'YORE_MAX_TOKENS must be',
    )
  })

  it('warns about a misspelt variable and lets foreign ones be', () => {
    const { warnings } = loadSettings({
      root,
      env: { ...env, YORE_MAXTOKEN: '1', YORE_DEBUG: '1', YORE_HTTP_PORT: '80' },
    })
    expect(warnings).toEqual(['YORE_MAXTOKEN is not a setting; did you mean YORE_MAX_TOKENS?'])
  })

  it('says which file is not JSON', () => {
    writeFileSync(path.join(root, 'yore.json'), '{ "depth": 1, }')
    expect(() => loadSettings({ root, env })).toThrow('yore.json: not valid JSON')
  })

  it('reads a config that starts with a byte order mark', () => {
    writeFileSync(path.join(root, 'yore.json'), '\uFEFF{ "depth": 0 }')
    expect(loadSettings({ root, env }).settings.depth).toBe(0)
  })

  it('refuses a repository config that links out of the repository', () => {
    writeFileSync(path.join(folder, 'elsewhere.json'), '{"secret": 1}')
    symlinkSync(path.join(folder, 'elsewhere.json'), path.join(root, 'yore.json'))
    expect(() => loadSettings({ root, env })).toThrow('yore.json: a link that leaves the repository')
  })

  it('never ends above a default for anything that a repository says', () => {
    const limited = settingNames.filter((name) => specOf(name).repositoryMayOnlyLower === true)
    const config = fc.dictionary(fc.constantFrom(...limited), fc.nat(2_000_000_000))
    fc.assert(
      fc.property(config, fc.nat(9), (raw, depth) => {
        repositoryConfig(raw)
        envFile(`MAX_EXPANSION_DEPTH=${depth}\nEXPANSION_BUDGET=${depth}\n`)
        let settings: Record<string, unknown>
        try {
          settings = loadSettings({ root, env }).settings
        } catch {
          return
        }
        for (const name of limited) expect(settings[name]).toBeLessThanOrEqual(specOf(name).default as number)
      }),
      { numRuns: 200 },
    )
  })
})

describe('environmentName', () => {
  it('writes a setting in upper snake case', () => {
    expect(environmentName('llm.promptTokens')).toBe('YORE_LLM_PROMPT_TOKENS')
  })
})

describe('userConfigPath', () => {
  it('falls back to the home folder when XDG_CONFIG_HOME is absent or relative', () => {
    expect(userConfigPath({ HOME: '/home/a' })).toBe('/home/a/.config/yore/config.json')
    expect(userConfigPath({ HOME: '/home/a', XDG_CONFIG_HOME: 'x' })).toBe('/home/a/.config/yore/config.json')
  })
})
