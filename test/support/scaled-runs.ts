// How often does a property run? As often as its test says, times YORE_RUNS, and at least twenty times if the test says so.
// vitest.config.ts puts this module in the place of fast-check.
import fc from '../../node_modules/fast-check/lib/fast-check.js'

const share = Number(process.env['YORE_RUNS'] ?? 1)

/** What must have been seen at least, in a property that runs less often. */
export const atScale = (count: number): number => count * share

const assert = ((property: never, parameters: { readonly numRuns?: number } = {}) => {
  const { numRuns = 100 } = parameters
  return fc.assert(property, {
    ...parameters,
    numRuns: Math.max(Math.min(numRuns, 20), Math.ceil(atScale(numRuns))),
  })
}) as typeof fc.assert

export default { ...fc, assert }
