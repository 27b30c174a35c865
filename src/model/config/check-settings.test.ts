// Do names, types, bounds and the limits of a repository hold?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { YoreError } from '../errors.ts'
import { checkSettings, settingNames, specOf } from './check-settings.ts'
import { formerSettings } from './settings.ts'

const repository = { name: 'yore.json', trusted: false }
const user = { name: 'config.json', trusted: true }

function failure(action: () => unknown): YoreError {
  try {
    action()
  } catch (error) {
    if (error instanceof YoreError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('checkSettings', () => {
  it('accepts every default at every place', () => {
    const defaults = Object.fromEntries(settingNames.map((name) => [name, specOf(name).default]))
    expect(checkSettings(defaults, { ...repository, trusted: true })).toEqual({
      values: defaults,
      warnings: [],
    })
    const open = Object.fromEntries(
      Object.entries(defaults).filter(([name]) => specOf(name as never).userOnly !== true),
    )
    expect(checkSettings(open, repository)).toEqual({ values: open, warnings: [] })
  })

  it('lets no repository say where text is sent or which folder outside it is read', () => {
    for (const name of ['embedding.provider', 'llm.url', 'embedding.model'] as const) {
      const { values, warnings } = checkSettings({ [name]: 'openai' }, repository)
      expect(values).toEqual({})
      expect(warnings).toEqual([expect.stringContaining(`${name} is ignored`)])
    }
  })

  it('names the file, the unknown key and the nearest valid key', () => {
    const error = failure(() => checkSettings({ maxToken: 1 }, repository))
    expect(error.code).toBe('BAD_CONFIG')
    expect(error.message).toBe('yore.json: unknown key "maxToken"; did you mean "maxTokens"?')
  })

  it('reads a group, and names the key inside of it', () => {
    expect(checkSettings({ llm: { url: 'http://x', model: 'm' } }, user).values).toEqual({
      'llm.url': 'http://x',
      'llm.model': 'm',
    })
    expect(failure(() => checkSettings({ llm: { ulr: 'x' } }, user)).message).toContain(
      'unknown key "llm.ulr"; did you mean "llm.url"?',
    )
    expect(failure(() => checkSettings({ llm: 'x' }, user)).message).toContain('unknown key "llm"')
  })

  it('refuses a setting of the last release with what to do instead', () => {
    const said = (key: string): string => failure(() => checkSettings({ [key]: 1 }, user)).message
    expect(said('relevanceThreshold')).toBe(
      'config.json: relevanceThreshold is no longer a setting; its default holds always',
    )
    for (const former of Object.keys(formerSettings)) {
      expect(settingNames).not.toContain(former)
      expect(said(former)).toMatch(/is no longer a setting; \w/)
    }
  })

  it('lists the valid keys when none is near', () => {
    expect(failure(() => checkSettings({ zzzzzzzzzz: 1 }, user)).message).toContain(
      'valid keys are maxTokens, depth',
    )
  })

  it.each([
    ['maxTokens', '8000', 'a whole number from 1 to 1000000, not "8000"'],
    ['maxTokens', 1.5, 'a whole number from 1 to 1000000, not 1.5'],
    ['depth', -1, 'a whole number from 0 to 2, not -1'],
    ['depth', null, 'a whole number from 0 to 2, not null'],
    ['refresh', 'daily', '"auto" or "never", not "daily"'],
    ['ignore', 'a', 'a list of strings, not "a"'],
    ['ignore', [1], 'a list of strings, not [1]'],
    ['references.share', 2, 'a number from 0 to 1, not 2'],
  ])('refuses %s = %j', (key, value, message) => {
    expect(failure(() => checkSettings({ [key]: value }, user)).message).toBe(
      `config.json: ${key} must be ${message}`,
    )
  })

  it.each([[[]], ['text'], [null], [3]])('refuses %j instead of an object', (raw) => {
    expect(failure(() => checkSettings(raw, repository)).message).toContain('must hold one JSON object')
  })

  it('ignores prototype keys', () => {
    const raw = JSON.parse('{"__proto__": {"maxTokens": 1}, "constructor": 1, "prototype": 2, "depth": 0}')
    const { values } = checkSettings(raw, repository)
    expect(values).toEqual({ depth: 0 })
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype)
  })

  it('refuses inherited names as keys', () => {
    expect(failure(() => checkSettings({ toString: 1 }, repository)).message).toContain(
      'unknown key "toString"',
    )
  })

  it('lets the user raise what a repository may not', () => {
    expect(checkSettings({ depth: 2 }, user)).toEqual({ values: { depth: 2 }, warnings: [] })
    const refused = checkSettings({ depth: 2 }, repository)
    expect(refused.values).toEqual({})
    expect(refused.warnings).toEqual([
      'yore.json: depth 2 is above the default; a repository may only lower it, so 1 applies',
    ])
  })

  it('never lets a repository raise a limit', () => {
    const limited = settingNames.filter((name) => specOf(name).repositoryMayOnlyLower === true)
    const anything = fc.oneof(fc.integer(), fc.double(), fc.constant(1e308), fc.anything())
    const config = fc.dictionary(fc.constantFrom(...settingNames), anything)
    fc.assert(
      fc.property(config, (raw) => {
        try {
          const { values } = checkSettings(raw, repository)
          for (const name of limited) {
            const value = values[name]
            if (value !== undefined)
              expect(value as number).toBeLessThanOrEqual(specOf(name).default as number)
          }
        } catch (error) {
          expect(error).toBeInstanceOf(YoreError)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
