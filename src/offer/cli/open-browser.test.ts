import { expect, it } from 'vitest'
import { findOpener } from './open-browser.ts'

const desktop = { platform: 'linux', env: { DISPLAY: ':0' }, isTerminal: true } as const

it('opens a page on a desktop, by a program of the system', () => {
  expect(findOpener(desktop)).toEqual(['xdg-open'])
  expect(findOpener({ ...desktop, platform: 'darwin', env: {} })).toEqual(['/usr/bin/open'])
  expect(findOpener({ ...desktop, platform: 'win32', env: {} })?.[0]).toBe(
    'C:\\Windows\\System32\\rundll32.exe',
  )
})

it('opens nothing in CI, over SSH, in a pipe, without a display, and where the user says so', () => {
  for (const env of [{ CI: '1' }, { SSH_CONNECTION: '1' }, { BROWSER: 'none' }])
    expect(findOpener({ ...desktop, env: { ...desktop.env, ...env } })).toBeNull()
  expect(findOpener({ ...desktop, isTerminal: false })).toBeNull()
  expect(findOpener({ ...desktop, env: {} })).toBeNull()
})
