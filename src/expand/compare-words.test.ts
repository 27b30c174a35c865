// Are texts near that share long words, and far apart that share grammar alone?
import { expect, it } from 'vitest'
import { compareWords } from './compare-words.ts'

it('is 0 where two texts share nothing but short words', () => {
  const nearness = compareWords('The key of the lease is in use.')
  expect(nearness('What is the use of it? A key.')).toBe(0)
  expect(nearness('')).toBe(0)
})

it('counts long words more than short ones, and each once', () => {
  const nearness = compareWords('A zone has coordinators, and coordinators have a zone.')
  expect(nearness('zone zone zone')).toBe(Math.log2('zone'.length))
  expect(nearness('zone')).toBeLessThan(nearness('coordinators'))
  expect(nearness('zone coordinators')).toBe(nearness('zone') + nearness('coordinators'))
})

it('takes words in any form for the same', () => {
  expect(compareWords('deploying')('deployed')).toBeGreaterThan(0)
})
