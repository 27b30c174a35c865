// Does a node that lacks a package say so before it serves?
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { requirePackages } from './require-packages.ts'

it('names the command that installs what is configured and missing', () => {
  const empty = mkdtempSync(path.join(tmpdir(), 'yore-packages-'))
  onTestFinished(() => rmSync(empty, { recursive: true }))
  const from = pathToFileURL(path.join(empty, 'main.js')).href
  expect(() => requirePackages(['worker'], from)).toThrow(
    'reading PDF and e-mail needs packages that are not installed: npm install @embedpdf/pdfium postal-mime',
  )
  expect(() => requirePackages(['openai'], from)).toThrow('npm install ai @ai-sdk/openai-compatible')
  expect(() => requirePackages(['ollama', 'none'], from)).not.toThrow()
  expect(() => requirePackages(['worker', 'openai', 'anthropic'])).not.toThrow()
})
