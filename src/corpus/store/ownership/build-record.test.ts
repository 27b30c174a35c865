// Is the progress of an index in the background what its last estimate says?
import { expect, it } from 'vitest'
import { makeFolder } from '../../../../test/temporary-corpus.ts'
import { describeIncomplete } from '../../indexing/describe-freshness.ts'
import { estimateProgress, writeRecord } from './build-record.ts'

it('is the share of the time that has passed, and never all of it', () => {
  const folder = makeFolder()
  expect(estimateProgress(folder, 5000)).toEqual({})
  const record = { runs: 1, startedAt: 1000, failure: null }
  writeRecord(folder, record)
  expect(estimateProgress(folder, 5000)).toEqual({})
  writeRecord(folder, { ...record, endsAt: 41_000 })
  expect(estimateProgress(folder, 17_400)).toEqual({ progress: { share: 0.41, secondsLeft: 24 } })
  expect(estimateProgress(folder, 99_000)).toEqual({ progress: { share: 0.99, secondsLeft: 1 } })
  writeRecord(folder, { ...record, endsAt: 41_000, failure: 'the disk is full' })
  expect(estimateProgress(folder, 17_400)).toEqual({})
})

it('is in the status and in the note of an early answer', () => {
  const freshness = {
    state: 'incomplete',
    changedFiles: 4326,
    indexedAt: 0,
    builder: 'process 7 on here',
    progress: { share: 0.41, secondsLeft: 20 },
  } as const
  expect(describeIncomplete(freshness)).toBe('indexing 41 %, about 20 s left')
  expect(describeIncomplete({ ...freshness, early: 64 })).toBe(
    'the index is being built; this answer is from the 64 of 4,390 files that match best: ask again in about 20 s',
  )
})
