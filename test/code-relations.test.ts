// Is what a digest says around code true? Where it came from, that no line comes twice, and what headings name.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CorpusReader } from '../src/corpus/store/corpus-reader.ts'
import { openForReading } from '../src/corpus/store/open-database.ts'
import type { Digest, Passage } from '../src/model/digest.ts'
import { indexFiles } from './indexed-fixture.ts'
import { parseDigest } from './parse-digest.ts'

const queue = `"""Queues of jobs."""
import heap


# Jobs wait here until somebody takes them.
@heap.sorted
class JobQueue:
    """Jobs in the order in which they are due."""

    def push_job(self, job):
        """Adds a job to the queue where it is due."""
        heap.insert_job(self.jobs, job)

    def take_job(self):
        """Takes the next job that is due from the queue."""
        return heap.remove_job(self.jobs)

    def count_jobs(self):
        """How many jobs the queue holds."""
        return len(self.jobs)


def drain_queue(queue):
    """Takes every job of the queue. See ADR-001."""
    while queue.count_jobs():
        queue.take_job()
`
const heap = `def sorted(kind):
    return kind


def insert_job(jobs, job):
    """Inserts a job into a heap of jobs."""
    jobs.append(job)


def remove_job(jobs):
    """Removes the job of a heap that is due."""
    return jobs.pop()
`
const document = `package com.acme;

public abstract class BaseDocument {
  public int total() {
    return 1;
  }
}
`
const invoice = `package com.acme;

/** What somebody owes. */
public class Invoice extends BaseDocument {
  private final int amount;

  public Invoice(int amount) {
    this.amount = amount;
  }

  public int total() {
    return amount + super.total();
  }

  public String print() {
    return "Invoice of " + total();
  }
}
`
const readme =
  '# Courier\n\nA scheduler. When it stops, `drain_queue()` is called, and every `JobQueue` is empty.\n'
const adr =
  '# ADR-001: Draining\n\nA queue is drained before the scheduler stops: every job is taken, none is lost.\n'

const questions = [
  '`drain_queue`',
  '`JobQueue`',
  '`take_job`',
  'How is a queue drained before the scheduler stops?',
  'Where are jobs inserted into the heap?',
  'jobs of the queue that are due',
  'Invoice.total',
  'total of BaseDocument',
  'amount that an Invoice prints',
]

const { root, engine } = await indexFiles({
  'src/queue.py': queue,
  'src/heap.py': heap,
  'com/acme/BaseDocument.java': document,
  'com/acme/Invoice.java': invoice,
  'README.md': readme,
  'docs/adr/ADR-001-draining.md': adr,
})
const reader = new CorpusReader(openForReading(path.join(root, '.yore/index.db')))
const references = [...reader.references().inCode('all'), ...reader.references().everything()]
reader.close()

const linesOf = (file: string): string[] => readFileSync(path.join(root, file), 'utf8').split('\n')
const along = (digest: Digest): Passage[] => digest.expanded.flatMap(({ passages }) => passages)

/** The reference is in the index. */
function checkPlaces(passage: Passage): void {
  const { origin, referencedBy, excerpts } = passage
  if (origin.kind !== 'expansion') throw new Error('it came along')
  expect(referencedBy.length).toBeGreaterThan(0)
  for (const { path: file, line } of referencedBy) {
    const isOwn = excerpts.some(({ lines }) => lines.start <= line && line <= lines.end)
    expect(file === passage.path && isOwn, `${file}:${line} refers to itself`).toBe(false)
    const isReference = references.some(
      (one) => one.originPath === file && one.line === line && one.path === passage.path,
    )
    expect(isReference, `${file}:${line}`).toBe(true)
  }
}

describe('what came along', () => {
  it.each(questions)('names a line that leads to it: %s', async (question) => {
    for (const sections of [1, 3])
      for (const depth of [1, 2]) {
        const { digest, output } = await engine.assemble(question, { sections, depth, maxTokens: 3000 })
        const passages = along(digest)
        for (const passage of passages) checkPlaces(passage)
        expect(parseDigest(output).expanded.map(({ referencedBy }) => referencedBy)).toEqual(
          passages.map(({ referencedBy }) => referencedBy.slice(0, 3)),
        )
      }
  })
})

describe('no line', () => {
  const placesOf = (passages: readonly Passage[]): string[] =>
    passages.flatMap(({ path: file, excerpts }) =>
      excerpts.flatMap(({ lines: { start, end } }) =>
        Array.from({ length: end - start + 1 }, (_, index) => `${file}:${start + index}`),
      ),
    )

  it.each(questions)('comes twice: %s', async (question) => {
    for (const sections of [1, 2, 3, 4, 8])
      for (const maxTokens of [500, 3000]) {
        const { digest, output } = await engine.assemble(question, { sections, depth: 2, maxTokens })
        const all = [...digest.primary, ...along(digest)]
        const places = placesOf(all)
        expect(places).toEqual([...new Set(places)])
        for (const { path: file, excerpts } of all)
          for (const { lines, text } of excerpts)
            if (file.endsWith('.py') || file.endsWith('.java'))
              expect(text).toBe(
                linesOf(file)
                  .slice(lines.start - 1, lines.end)
                  .join('\n'),
              )
        expect(() => parseDigest(output)).not.toThrow()
      }
  })

  it('of a class header is left out where it stands above the first function', async () => {
    const { digest } = await engine.assemble('`total`', { sections: 2, maxTokens: 3000, layout: 'full' })
    const shown = placesOf([...digest.primary, ...along(digest)])
    expect(shown.filter((place) => place === 'com/acme/BaseDocument.java:3')).toHaveLength(1)
    expect(shown.filter((place) => place === 'com/acme/Invoice.java:4')).toHaveLength(1)
  })
})
