// Does the command line reach the operation as it was typed, and do mistakes get a useful answer?
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from './parse-command-line.ts'

describe('parseCommandLine', () => {
  it('gives the operation and only what was given', async () => {
    const request = await parseCommandLine([
      'assemble',
      'how',
      'to',
      '--max-tokens',
      '500',
      'deploy?',
      '--explain',
    ])
    expect(request).toMatchObject({
      command: { spec: { name: 'assemble' } },
      given: { question: ['how', 'to', 'deploy?'], maxTokens: '500', explain: true },
    })
    expect(Object.keys(request!.given)).toEqual(['question', 'maxTokens', 'explain'])
  })

  it('takes the folder in front of a command or a question', async () => {
    expect(await parseCommandLine(['-C', 'a', 'status'])).toMatchObject({
      command: { spec: { name: 'status' } },
      given: { root: 'a' },
      isBare: false,
    })
    expect(await parseCommandLine(['-C', 'a', 'Why is it slow?'])).toMatchObject({
      command: { spec: { name: 'assemble' } },
      given: { question: ['Why is it slow?'], root: 'a' },
      isBare: true,
    })
  })

  it('takes everything after -- as words', async () => {
    expect((await parseCommandLine(['search', '--', '--limit']))?.given).toEqual({ query: ['--limit'] })
  })

  it.each([
    'workspace',
    'config set depth 0',
    'pull handbook',
    'eval init',
    'chat list',
    'graph x',
    'diff main',
    'rulebook',
  ])('says that `yore %s` was removed, and what to use instead', async (typed) => {
    await expect(parseCommandLine(typed.split(' '))).rejects.toMatchObject({
      code: 'BAD_USAGE',
      message: expect.stringMatching(/^`yore [a-z ]+` was removed$/),
      hint: expect.stringMatching(/\w/),
    })
  })

  it('takes a quoted question without a command as one for a digest', async () => {
    expect(await parseCommandLine(['how do I rotate keys?', '--max-tokens', '500'])).toMatchObject({
      command: { spec: { name: 'assemble' } },
      given: { question: ['how do I rotate keys?'], maxTokens: '500' },
    })
  })

  it.each(['humanize', 'Arrow.humanize', 'ADR-013', 'retry()'])('takes %s as a question', async (word) => {
    expect(await parseCommandLine([word])).toMatchObject({
      command: { spec: { name: 'assemble' } },
      given: { question: [word] },
    })
  })

  it.each([
    [['serch', 'x'], "unknown command 'serch'", 'did you mean search? see `yore --help`'],
    [
      ['search', 'x', '--limt', '3'],
      "unknown option '--limt'",
      'did you mean --limit? see `yore search --help`; if it is a word and no option: `yore search -- "--limt"`',
    ],
    [
      ['search', '--token-ttl'],
      "unknown option '--token-ttl'",
      'see `yore search --help`; if it is a word and no option: `yore search -- "--token-ttl"`',
    ],
    [
      ['assemble', 'x', '--budget', '2000'],
      "unknown option '--budget'",
      'did you mean --max-tokens? see `yore assemble --help`; if it is a word and no option: `yore assemble -- "--budget"`',
    ],
    [
      ['assemble', 'x', '--tokens', '2000'],
      "unknown option '--tokens'",
      'did you mean --max-tokens? see `yore assemble --help`; if it is a word and no option: `yore assemble -- "--tokens"`',
    ],
    [['status', '--token-ttl'], "unknown option '--token-ttl'", 'see `yore status --help`'],
    [['help', 'serch'], "unknown command 'serch'", 'did you mean search? see `yore --help`'],
    [['help', 'zzzzzz'], "unknown command 'zzzzzz'", 'see `yore --help`'],
    [['search'], "missing required argument 'query'", 'for example: yore search retry policy'],
    [
      ['hook'],
      "missing required argument 'event'",
      'for example: echo \'{"cwd":"/path/to/the/repository"}\' | yore hook session-start; one of session-start, before-search',
    ],
    [
      ['mcp', '--root', 'x', '--http', '--port', '9000'],
      '`yore mcp --http` was removed',
      'start `yore mcp` for each agent, or share one corpus with yore-server, which serves MCP over HTTP',
    ],
    [
      ['completion', 'zsh'],
      '`yore completion` was removed',
      'delete its line in the startup file of your shell; `yore help COMMAND` lists options',
    ],
    [['search', 'x', '--limit'], "option '-n, --limit <n>' argument missing", 'see `yore search --help`'],
    [['--frobnicate'], "unknown option '--frobnicate'", 'see `yore --help`'],
  ])('answers %j', async (args, message, hint) => {
    await expect(parseCommandLine(args)).rejects.toThrow(
      expect.objectContaining({ code: 'BAD_USAGE', message, hint }),
    )
  })

  it.each([
    [['help'], 'Usage: yore [options] [command]'],
    [['help', 'help'], 'Usage: yore [options] [command]'],
    [['help', 'search'], 'Usage: yore search [options] <query...>'],
  ])('prints the help that %j asks for', async (args, usage) => {
    const write = process.stdout.write
    let printed = ''
    process.stdout.write = (text) => {
      printed += text
      return true
    }
    try {
      expect(await parseCommandLine(args)).toBeNull()
    } finally {
      process.stdout.write = write
    }
    expect(printed.split('\n', 1)[0]).toBe(usage)
  })

  it('refuses arguments that a command does not take', async () => {
    await expect(parseCommandLine(['status', 'x'])).rejects.toThrow('too many arguments')
  })
})
