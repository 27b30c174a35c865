import { expect, it } from 'vitest'
import { type FileNames, matchFileNames } from './match-file-name.ts'

const names = (question: string, identifiers: string[] = []): FileNames =>
  matchFileNames(
    question.split(' ').map((word) => ({ term: word, word, weight: 1 })),
    identifiers,
  )

it('knows a file by a word of the question, by a part of it and by several in one', () => {
  expect(names('session').file('src/session.py')).toBe(1)
  expect(names('authentication').file('src/auth.py')).toBe(1)
  expect(names('url dispatch').file('aiohttp/web_urldispatch.py')).toBe(0.5)
  expect(names('url dispatch').file('aiohttp/urldispatch.py')).toBe(1)
  expect(names('cookie').file('src/session.py')).toBe(0)
})

it('counts the share of the name that is asked for', () => {
  expect(names('http client').file('HttpClient.kt')).toBe(1)
  expect(names('client').file('HttpClient.kt')).toBe(0.5)
})

it('counts a name less that is a small part of a long question', () => {
  const long = 'a b c d e f g h i j k l m n o p q r s web'
  expect(names(long).file('web.go')).toBe(0.5)
  expect(names('web server').file('web.go')).toBe(1)
})

it('reads the folder of a file, and no extension', () => {
  expect(names('cookie').folder('lib/cookie/store.ex')).toBe(1)
  expect(names('cookie').folder('store.ex')).toBe(0)
  expect(names('builders').file('src/builders.common.kt')).toBe(1)
})

it('knows the file of an identifier, however it is written', () => {
  const found = names('ClientSession', ['ClientSession'])
  expect(found.isNamesake('src/client_session.py')).toBe(true)
  expect(found.isNamesake('src/ClientSession.java')).toBe(true)
  expect(found.isNamesake('src/client.py')).toBe(false)
})
