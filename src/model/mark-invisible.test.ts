import { expect, it } from 'vitest'
import { escapeInvisibleJson, markInvisible } from './mark-invisible.ts'

it('marks every character that a JSON text escapes', () => {
  for (let code = 0; code < 0x10000; code++) {
    const char = String.fromCharCode(code)
    const isMarked = markInvisible(`a${char}b`) !== `a${char}b`
    expect([code.toString(16), isMarked]).toEqual([
      code.toString(16),
      escapeInvisibleJson(`a${char}b`) !== `a${char}b`,
    ])
  }
})
