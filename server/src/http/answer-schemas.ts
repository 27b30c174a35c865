// What does an answer contain? The fields of search, assemble, expand and read, for OpenAPI and the generated clients.
import type { QuestionName } from './answer-question.ts'
import { type JsonSchema, objectOf, text } from './route.ts'

const integer: JsonSchema = { type: 'integer' }
const number: JsonSchema = { type: 'number' }
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const described = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description })

/** Fields that are not in every answer. */
function withOptional(schema: JsonSchema, optional: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { ...schema, properties: { ...(schema['properties'] as object), ...optional } }
}

const lines = described(objectOf({ start: integer, end: integer }), 'First and last line, from 1.')
const term = objectOf({ term: text, word: text, weight: number })

const hit = withOptional(
  objectOf({
    document_id: described(text, 'Id of the section, for the routes of the graph.'),
    artifact: described(text, 'The section as path#heading.'),
    path: text,
    title: described(text, 'Title of the document.'),
    headings: listOf(text),
    name: described(text, 'The section as a digest names it.'),
    lines,
    matchedLines: described(listOf(lines), 'Where a long section matches, best first.'),
    furtherLines: described(listOf(lines), 'Further matching sections of the same file, best first.'),
    score: number,
    signals: objectOf({
      relevance: number,
      lexical: number,
      document: number,
      vector: { type: ['number', 'null'] },
      ranks: { type: 'object', additionalProperties: integer },
      canonicality: number,
      parts: listOf(objectOf({ name: text, effect: number })),
    }),
    canonicality: described(
      objectOf({ score: number, reasons: listOf(objectOf({ reason: text, effect: number })) }),
      'Authority of the document, from 0 to 1, and why.',
    ),
    excerpt: described(
      objectOf({ line: integer, text, matches: listOf(listOf(integer)) }),
      'The best lines, with the offsets of matches in them.',
    ),
  }),
  {
    place: described(text, 'Position in the original file, such as a page of a PDF.'),
    corpus: described(text, 'Name of the corpus, when several are searched.'),
  },
)

/** Fields of each kind of answer, in addition to its version. */
export const answerFields: Readonly<Record<QuestionName, Readonly<Record<string, JsonSchema>>>> = {
  search: {
    query: text,
    hits: listOf(hit),
    candidateSections: integer,
    documentsScanned: integer,
    analysis: withOptional(
      objectOf({
        text,
        intents: listOf(text),
        terms: listOf(term),
        phrases: listOf(text),
        ignored: listOf(text),
        identifiers: listOf(text),
        names: listOf(text),
      }),
      {
        quotable: text,
        callerWords: listOf(text),
        callerNames: listOf(text),
        callerTerms: listOf(term),
        setAside: number,
      },
    ),
    strategy: withOptional(objectOf({ name: text, why: text }), {
      references: listOf(objectOf({ mention: text, path: text, confidence: number })),
      callerWords: objectOf({ used: listOf(text), notFound: listOf(text), setAside: listOf(text) }),
    }),
    confidence: objectOf({
      label: { type: 'string', enum: ['high', 'medium', 'low', 'none'] },
      score: number,
      why: text,
    }),
    suggestions: listOf(text),
    notices: listOf(text),
  },
  assemble: { output: described(text, 'The digest.'), tokensUsed: integer },
  expand: {
    outcome: { type: ['object', 'null'] },
    offers: listOf({ type: 'object' }),
    left: { type: 'object' },
    output: described(text, 'The added text, or the denial in words.'),
    tokensUsed: integer,
  },
  read: {
    passage: { type: 'object' },
    output: described(text, 'The lines under their source.'),
    tokensUsed: integer,
    next: described({ type: ['string', 'null'] }, 'Where to continue; null at the end.'),
  },
}
