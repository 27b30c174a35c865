// Is the weight that suits the questions found, and its gain not overstated?
import { expect, test } from 'vitest'
import { fitWeight } from './fit-weights.ts'

test('the weight with the best coverage is found, and holds on the other half', () => {
  const fit = fitWeight('vectorWeight', 0.3, (weight) => [0, 1, 2, 3].map(() => (weight === 0.6 ? 1 : 0.5)))
  expect(fit).toMatchObject({ best: 0.6, heldOutGain: 0.5 })
  expect(fit.tried).toHaveLength(11)
  expect(fit.tried[6]).toEqual({ weight: 0.6, meanCoverage: 1 })
})

test('when all weights do alike, the current one stays', () => {
  expect(fitWeight('rerankWeight', 0.45, () => [1, 0])).toMatchObject({ best: 0.45, heldOutGain: 0 })
})

test('a weight that helps one half alone gains nothing on the other', () => {
  const fit = fitWeight('vectorWeight', 0.5, (weight) =>
    weight === 0.9 ? [1, 0.2, 1, 0.2] : [0.5, 0.5, 0.5, 0.5],
  )
  expect(fit.best).toBe(0.9)
  expect(fit.heldOutGain).toBeLessThan(0)
})

test('no questions fit nothing', () => {
  expect(fitWeight('vectorWeight', 0.3, () => [])).toMatchObject({ best: 0.3, heldOutGain: 0 })
})
