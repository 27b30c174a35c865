// Does every command and flag complete, and does the shell accept the script?
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { resolveOptions } from '../../operations/operation.ts'
import { loadSpecs } from '../commands.ts'
import { completionScript } from './completion.ts'

const specs = await loadSpecs()

describe.each(['bash', 'zsh', 'fish'] as const)('completionScript for %s', (shell) => {
  const script = completionScript(shell, specs)

  it('knows every command and flag', () => {
    for (const operation of specs) {
      for (const word of operation.name.split(' ')) expect(script).toContain(word)
      for (const { flag } of resolveOptions(operation)) {
        expect(script).toContain(shell === 'fish' ? `-l ${flag.slice(2)} ` : flag)
      }
    }
  })

  it('knows the choices', () => {
    expect(script).toMatch(/markdown json/)
    expect(script).toMatch(/bash zsh fish|-a zsh/)
  })

  // Only where the shell is installed.
  it.runIf(spawnSync(shell, ['--version']).status === 0)('is accepted by the shell', () => {
    const run = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' })
    expect([run.status, run.stderr]).toEqual([0, ''])
  })
})

describe('in fish', () => {
  it('a command may have both a second word and languages', () => {
    const fish = completionScript('fish', specs).split('\n')
    const within = '__fish_seen_subcommand_from rulebook; and not __fish_seen_subcommand_from check'
    expect(fish).toContain(`complete -c yore -n '${within}' -a markdown`)
    expect(fish.find((line) => line.includes(' -a check -d ') && line.includes('rulebook'))).toContain(within)
  })
})

describe('in bash', () => {
  const complete = (...words: string[]): string[] => {
    const script = `${completionScript('bash', specs)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _yore
printf '%s\\n' "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
  }

  it.each([
    [['yore', 'ass'], ['assemble']],
    [['yore', 'assemble', '--max'], ['--max-tokens']],
    [
      ['yore', 'assemble', '--format', ''],
      ['markdown', 'json'],
    ],
    [['yore', 'assemble', '--format', 'j'], ['json']],
    [['yore', 'search', 'x', '--refresh', 'n'], ['never']],
    [['yore', 'completion', 'f'], ['fish']],
    [['yore', 'eval', 'in'], ['init']],
    [['yore', 'eval', 'init', '--fo'], ['--force']],
    [['yore', 'rulebook', 'ch'], ['check']],
    [['yore', 'rulebook', 'mark'], ['markdown']],
    [
      ['yore', 'rulebook', 'c'],
      ['check', 'c', 'cpp', 'csharp'],
    ],
    [['yore', 'rulebook', 'zz'], []],
    [['yore', 'rulebook', 'go', '--r'], ['--root']],
    [['yore', 'chat', 'list', 's'], []],
    [['yore', 'search', '--limit', ''], []],
  ])('%j completes to %j', (words, expected) => {
    expect(complete(...words)).toEqual(expected)
  })
})
