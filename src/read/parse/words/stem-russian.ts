// Which forms of a Russian word are the same word? Snowball's algorithm, on lower-case Cyrillic letters.

const GERUND = /(?:(?:ив|ыв)(?:ши(?:сь)?)?|(?<=[ая])в(?:ши(?:сь)?)?)$/
const REFLEXIVE = /с[яь]$/
const ADJECTIVE =
  /(?:ивш|ывш|ующ|(?<=[ая])(?:ем|нн|вш|ющ|щ))?(?:[иы]ми|[ео]го|[ео]му|[еиыо]е|[еиыо]й|[еиыо]м|[иы]х|[ую]ю|ая|яя|[ое]ю)$/
const VERB =
  /(?:(?<=[ая])(?:нно|ете|йте|ешь|л[аио]|н[аоы]|е[мт]|ют|ть|[йлн])|[еу]йте|[иы]л[аио]|ите|[иы]ть|ишь|ует|уют|ен[аоы]|[еу]й|[иы]л|[иы]м|[иы]т|ен|ят|ую|ю)$/
const NOUN = /(?:и?ями|ами|и[ея]м|и?ях|ией|и[ей]|[еоя]м|ам|ах|[ео]в|[иь][еюя]|е[ий]|[ои]й|[аеийоуыьюя])$/
const R2 = /^[^аеиоуыэюя]*[аеиоуыэюя]+[^аеиоуыэюя]+[аеиоуыэюя]+[^аеиоуыэюя]/

/** The first of these endings that the text has is cut off; null when it has none. */
function cut(text: string, ...endings: readonly RegExp[]): string | null {
  const ending = endings.find((one) => one.test(text))
  return ending === undefined ? null : text.replace(ending, '')
}

/** The stem of a lower-case word of Russian letters. */
export function stemRussian(word: string): string {
  const plain = word.replaceAll('ё', 'е')
  const start = plain.search(/[аеиоуыэюя]/) + 1
  if (start === 0) return plain
  const region = plain.slice(start)
  const gerund = cut(region, GERUND)
  const bare = cut(region, REFLEXIVE) ?? region
  let rest = gerund ?? cut(bare, ADJECTIVE, VERB, NOUN) ?? bare
  if (rest.endsWith('и')) rest = rest.slice(0, -1)
  const derived = /ость?$/.exec(rest)
  if (derived !== null && start + derived.index >= (R2.exec(plain)?.[0].length ?? plain.length))
    rest = rest.slice(0, derived.index)
  rest = rest.replace(/ейше?$/, '')
  return plain.slice(0, start) + (rest.endsWith('нн') ? rest.slice(0, -1) : rest.replace(/ь$/, ''))
}
