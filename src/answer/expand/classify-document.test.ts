// Does a path tell the type of a document by whole words only?
import { expect, it } from 'vitest'
import { classifyDocument, isDecision } from './classify-document.ts'

it.each([
  ['docs/adr/0001-x.md', 'adr'],
  ['adr/x.md', 'adr'],
  ['team/ADR-013-retries.md', 'adr'],
  ['team/adr_013.md', 'adr'],
  ['docs/decisions/0003-foo.md', 'adr'],
  ['docs/architecture/decisions/0003-foo.md', 'adr'],
  ['docs/decision-records/x.md', 'adr'],
  ['docs/quadrant/x.md', 'other'],
  ['docs/architecture/x.md', 'design'],
  ['docs/AUTH_SYSTEM_DESIGN.md', 'design'],
  ['docs/designer-notes.md', 'other'],
  ['docs/operations/x.md', 'ops'],
  ['docs/CLEANUP_RUNBOOK.md', 'ops'],
  ['ops/x.md', 'ops'],
  ['docs/laptops/x.md', 'other'],
  ['docs/adr/architecture-runbook.md', 'adr'],
  ['README.md', 'other'],
  ['team/v1.adr.md', 'adr'],
  ['adrs/x.md', 'adr'],
  ['designs/x.md', 'design'],
  ['runbooks/x.md', 'ops'],
  ['team/notes.ops', 'other'],
])('%s is %s', (path, type) => {
  expect(classifyDocument(path)).toBe(type)
})

it.each([
  ['EIPS/eip-1559.md', true],
  ['rfcs/RFC0042.md', true],
  ['peps/pep-8.rst', true],
  ['docs/adr/notes.md', true],
  ['rfcs/rfc 7-x.md', true],
  ['rfcs/rfc7', true],
  ['rfcs/0042-like-rfc-7.md', false],
  ['rfcs/rfc-123456.md', false],
  ['rfc-1/notes.md', false],
  ['docs/pepper-1.md', false],
  ['docs/guide.md', false],
])('%s carries a decision: %s', (path, expected) => {
  expect(isDecision(path)).toBe(expected)
})
