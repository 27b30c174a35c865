import { expect, it } from 'vitest'
import { makeQuestion } from './start-page.ts'

it.each([
  ['export namespace DefaultTheme', 'DefaultTheme'],
  ['public protocol ParsableCommand: ParsableArguments', 'ParsableCommand'],
  ['export async function readFile(path: string)', 'readFile'],
])('asks about the name, not about its keyword: %s', (heading, name) => {
  expect(makeQuestion(heading)).toBe(`What does ${name} do?`)
})
