// Which texts try a tokenizer hardest? Generators for property tests.

import fc from 'fast-check'

const words = [
  'the', 'Service', 'deployment', 'HTTPResponse', 'kubernetes', 'x', "don't", "WE'LL", "it'S", "'re", "'VE", "'d",
  "'tis", 'naïve', 'Übergröße', 'Привет', 'МИРмир', 'ПрИвЕт', 'ǅ', 'ǅungla', 'ʰ', 'ªº', '中文', '配置文件', 'カタカナ',
  '한국어', 'العربية', 'हिन्दी', 'e\u0301', '\u0301', '\u0301A', 'A\u0301B', '👩‍👩‍👧', '🏳️‍🌈', '👍🏽', '٣٤٥', '½', 'Ⅷ', '①',
] // biome-ignore format: a table
const gaps = [
  ' ', '  ', '     ', '\t', '\n', '\n\n', '\r\n', ' \n ', '\u00a0', '\u3000', '\u2028', '\u0085', '\v', '\f', '',
] // biome-ignore format: a table
const symbols = [
  '/', '//', '/\n/', "'", "''", '"', '.', '...', '!?', '()', '{};', '=>', '#', '```', '---', '|', '<|endoftext|>',
  '<|im_start|>', '0', '42', '1234', '1e-9', '_', '\\', '€', '“', '\u200d', '\u{1d400}', '\u{10ffff}', '\0', '\ufffd',
] // biome-ignore format: a table

/** Texts put together from the pieces above, letters of any script, and runs of one character. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...words) },
      { weight: 4, arbitrary: fc.constantFrom(...gaps) },
      { weight: 3, arbitrary: fc.constantFrom(...symbols) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 12 }) },
      {
        weight: 1,
        arbitrary: fc.tuple(fc.constantFrom(...' \n\tаaA0!中/-='), fc.nat(200)).map(([c, n]) => c.repeat(n)),
      },
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''))
