import { describe, expect, it } from 'vitest'
import { makeDocumentNames } from '../../../../test/support/catalogue.ts'
import type { NamedDocument } from '../pack-names.ts'
import { resolveQuestion } from './resolve-question.ts'

const document = (path: string, title: string, headings: readonly string[] = []): NamedDocument => ({
  path,
  title,
  frontmatter: {},
  sections: headings.map((name) => ({
    id: `${path}#${name.toLowerCase()}`,
    anchor: name.toLowerCase(),
    name,
  })),
})

const names = makeDocumentNames([
  document('hummel.md', 'Data sovereignty', ['Consent', 'Power']),
  document('retries.md', 'Retry policy', ['Backoff', 'Limits']),
  document('deploy.md', 'Deploying a service', ['Rollback']),
  document('security.md', 'Security model', ['Secrets']),
  document('storage.md', 'Storage layout', ['Tables']),
])

/**
 * Answers as what they cited, oldest first: `hummel retries | deploy` are two answers, the later one cites deploy.
 * Then the question, and what it means: documents, `?` before candidates of a tie, `unknown`, or `-` for no reference.
 */
const conversations: readonly (readonly [answers: string, question: string, means: string])[] = [
  // Ordinals over the last answer
  ['hummel retries deploy', 'tell me more about the first one', 'hummel'],
  ['hummel retries deploy', 'tell me more about the second one', 'retries'],
  ['hummel retries deploy', 'what does the third document say?', 'deploy'],
  ['hummel retries deploy', 'summarize the last one', 'deploy'],
  ['hummel retries deploy', 'open the last doc', 'deploy'],
  ['hummel retries deploy', 'the final page, please', 'deploy'],
  ['hummel retries deploy', 'what about the 2nd source?', 'retries'],
  ['hummel retries deploy', 'and the second?', 'retries'],
  ['hummel retries deploy', 'compare the first one with the third one', 'hummel deploy'],
  ['hummel hummel retries', 'the second one', 'retries'],
  ['hummel retries', 'what does the fourth document say?', 'unknown'],
  ['hummel | retries deploy', 'the first result', 'retries'],
  ['hummel retries deploy', 'show me the third source', 'deploy'],
  ['hummel retries deploy', 'what about the 1st one?', 'hummel'],
  ['hummel retries deploy', 'and the last?', 'deploy'],
  ['hummel retries deploy security storage', 'open the fifth result', 'storage'],
  ['hummel | retries deploy', 'read me the second one', 'deploy'],
  // Ordinals that point at nothing cited
  ['hummel retries', 'what is the first step of a rollback?', '-'],
  ['hummel retries', 'wait a second', '-'],
  ['hummel retries', 'what do we do first?', '-'],
  // Demonstratives
  ['hummel', 'what else does that page say?', 'hummel'],
  ['hummel', 'who wrote this document?', 'hummel'],
  ['hummel | retries', 'quote that doc', 'retries'],
  ['hummel', 'tell me more about that one', 'hummel'],
  ['hummel', 'is the paper still valid?', 'hummel'],
  ['hummel retries', 'what does that page say?', '? hummel retries'],
  ['hummel retries', 'what do those documents say about limits?', 'hummel retries'],
  ['hummel retries deploy', 'summarize these', 'hummel retries deploy'],
  ['', 'what does that page say?', 'unknown'],
  ['hummel', 'what is this article about?', 'hummel'],
  ['hummel | retries', 'does this doc mention limits?', 'retries'],
  ['hummel retries', 'is that guide current?', '? hummel retries'],
  // Pronouns
  ['hummel', 'what does it say about consent?', 'hummel'],
  ['hummel | retries', 'does it mention limits?', 'retries'],
  ['hummel', 'summarize it', 'hummel'],
  ['hummel retries', 'what does it say?', '? hummel retries'],
  ['hummel', 'is it possible to roll back?', '-'],
  ['', 'how does it work?', '-'],
  ['hummel retries', 'do they mention limits?', 'hummel retries'],
  ['hummel retries', 'summarize them', 'hummel retries'],
  ['hummel retries', 'summarize both', 'hummel retries'],
  ['hummel retries', 'what do both documents say about limits?', 'hummel retries'],
  ['hummel retries', 'can both clusters fail at once?', '-'],
  ['hummel', 'when was it written?', 'hummel'],
  ['hummel', 'what are its limits?', 'hummel'],
  ['hummel retries', 'what do they say about backoff?', 'hummel retries'],
  ['hummel retries', 'compare those', 'hummel retries'],
  // A name beats what was cited
  ['hummel retries', 'what does the security model page say?', 'security'],
  ['hummel', 'compare it with the storage layout page', 'hummel storage'],
]

function meaningOf(answers: string, question: string): string {
  const cited = answers.split(' | ').flatMap((answer, turn) =>
    answer
      .split(' ')
      .filter((stem) => stem !== '')
      .map((stem) => ({ path: `${stem}.md`, title: stem, turn })),
  )
  const stem = (path: string): string => path.replace('.md', '')
  const said = resolveQuestion(question, names, { cited }).map((reference) => {
    if (reference.outcome === 'resolved') return stem(reference.path)
    return reference.outcome === 'unknown' ? 'unknown' : `? ${reference.candidates.map(stem).join(' ')}`
  })
  return said.length === 0 ? '-' : said.join(' ')
}

describe('what points back at earlier answers', () => {
  it('has at least 40 conversations', () => expect(conversations.length).toBeGreaterThanOrEqual(40))

  it.each(conversations)('after [%s] "%s" means %s', (answers, question, means) => {
    expect(meaningOf(answers, question)).toBe(means)
  })

  it('is certain of ordinals and of what a document says, and not of a bare "it"', () => {
    const cited = [{ path: 'hummel.md', title: 'Data sovereignty', turn: 1 }]
    const confidence = (question: string): number => {
      const [reference] = resolveQuestion(question, names, { cited })
      return reference?.outcome === 'resolved' ? reference.confidence : 0
    }
    expect(confidence('the first one')).toBeGreaterThanOrEqual(0.9)
    expect(confidence('what does it say?')).toBeGreaterThanOrEqual(0.9)
    expect(confidence('how do I configure it?')).toBeLessThan(0.9)
    expect(confidence('how do I configure it?')).toBeGreaterThanOrEqual(0.6)
  })

  it('does not name a document that has gone since', () => {
    const cited = [{ path: 'gone.md', title: 'Gone', turn: 1 }]
    expect(resolveQuestion('what does that page say?', names, { cited })).toMatchObject([
      { outcome: 'unknown' },
    ])
  })
})
