// Does the JSON digest keep to its schema, and say the exact text?
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digestFixture, emptyDigestFixture } from '../../../test/support/digest.ts'
import { hostileDigest } from '../../../test/support/hostile-digest.ts'
import { renderJson } from './render-json.ts'

const schema = JSON.parse(
  readFileSync(new URL('../../../schema/digest.schema.json', import.meta.url), 'utf8'),
)
const validate = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(schema)

function errorsOf(json: string): unknown {
  validate(JSON.parse(json))
  return validate.errors
}

describe('renderJson', () => {
  it.each([true, false])('keeps to the published schema (explain: %s)', (explain) => {
    fc.assert(
      fc.property(fc.oneof(hostileDigest, fc.constantFrom(digestFixture, emptyDigestFixture)), (digest) => {
        expect(errorsOf(renderJson(digest, { actualTokens: 812 }, { explain }))).toBeNull()
      }),
      { numRuns: 200 },
    )
  })

  it('is refused by the schema with a field too many', () => {
    const json = renderJson(digestFixture, { actualTokens: 812 }, { explain: false })
    expect(errorsOf(json.replace('"query"', '"extra":1,"query"'))).not.toBeNull()
  })

  it('gives back the exact source text, and shows no invisible character', () => {
    fc.assert(
      fc.property(hostileDigest, (digest) => {
        const json = renderJson(digest, { actualTokens: 812 }, { explain: false })
        const texts = JSON.parse(json).primary.map((passage: { text: string[] }) => passage.text)
        expect(texts).toEqual(
          digest.primary.map((passage) => passage.excerpts.map((excerpt) => excerpt.text)),
        )
        expect(json).not.toMatch(
          /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\u2028\u{e0000}-\u{e007f}]/u,
        )
      }),
      { numRuns: 500 },
    )
  })

  it('writes one line per field, document and passage, in a fixed order', () => {
    const lines = renderJson(digestFixture, { actualTokens: 812 }, { explain: false }).split('\n')
    expect(lines.slice(0, 5)).toEqual([
      '{',
      '"schemaVersion":3,',
      '"query":"How do I deploy a new service?",',
      '"generatedAt":"2025-11-29T15:23:00Z",',
      '"tokenBudget":8000,',
    ])
    expect(lines[lines.indexOf('"documents":[') + 2]).toBe(
      '{"path":"docs/adr/ADR-0013-service-onboarding.md","title":"ADR-0013: Service onboarding","score":0.87,"canonical":0.9,"status":"canonical","lastUpdated":"2025-10-01","sections":1}',
    )
    expect(lines[lines.indexOf('"primary":[') + 2]).toBe(
      '{"path":"docs/adr/ADR-0013-service-onboarding.md","name":"Service Registry","sections":["docs/adr/ADR-0013-service-onboarding.md#service-registry"],"lines":[[78,78]],"canonical":0.9,"truncated":false,"alsoAt":[],"score":0.87,"text":["All services must be registered in `services.yaml`."]}',
    )
    expect(lines.slice(-4)).toEqual(['"expanded":[],', '"pointers":[]', '}', ''])
  })

  it('explains only when asked', () => {
    const plain = JSON.parse(renderJson(digestFixture, { actualTokens: 812 }, { explain: false }))
    expect(plain).not.toHaveProperty('dropped')
    expect(plain.primary[0]).not.toHaveProperty('signals')
    expect(plain.documents[0]).not.toHaveProperty('reasons')
    const explained = JSON.parse(renderJson(digestFixture, { actualTokens: 812 }, { explain: true }))
    expect(explained.dropped[1]).toEqual({
      section: 'README.md#deploy',
      path: 'README.md',
      lines: [7, 7],
      score: 0.5,
      reason: 'no room',
    })
    expect(explained.primary[0].signals).toEqual(digestFixture.primary[0]?.signals)
    expect(explained.primary[0].origin).toEqual({ kind: 'search' })
    expect(explained.documents[0].reasons[2]).toEqual({ reason: 'older than a year', effect: -0.1 })
  })

  it('says how many there are where an explanation lists only some', () => {
    const lists = { dropped: digestFixture.dropped.slice(1), unresolved: [] }
    const json = renderJson(digestFixture, { actualTokens: 812 }, { explain: true, lists })
    expect(JSON.parse(json)).toMatchObject({ droppedTotal: 2, unresolvedTotal: 0 })
    expect(JSON.parse(json).dropped).toHaveLength(1)
    expect(errorsOf(json)).toBeNull()
  })

  it('leaves out what the passages say too when it must be brief', () => {
    const json = renderJson(digestFixture, { actualTokens: 812 }, { explain: false, brief: true })
    expect(JSON.parse(json)).toMatchObject({ documents: [], primaryAreas: [] })
    expect(JSON.parse(json).primary).toHaveLength(digestFixture.primary.length)
    expect(errorsOf(json)).toBeNull()
  })

  it('writes null for a time that no calendar holds', () => {
    const documents = digestFixture.documents.map((document) => ({ ...document, modifiedAt: 9e15 }))
    const json = renderJson({ ...digestFixture, documents }, { actualTokens: 812 }, { explain: false })
    expect(JSON.parse(json).documents[0].lastUpdated).toBeNull()
    expect(errorsOf(json)).toBeNull()
  })
})
