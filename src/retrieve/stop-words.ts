// Which words of a question carry no meaning for search? Function words and the words questions are made of: of English,
// and of languages written without spaces, in whose runs of characters they would make pairs that no document has.

/** What Chinese, Japanese and Thai questions are made of, the longer before the shorter. */
const densePhrases =
  '为什么 為什麼 是什么 是什麼 什么是 什麼是 有什么 有什麼 有没有 能不能 怎么样 如何 怎样 怎樣 怎么 怎麼 什么 什麼 为何 为啥 哪些 哪个 哪個 ' +
  '哪里 哪裡 哪种 多少 请问 請問 能否 是否 可以 应该 應該 ' +
  'どのように どうやって どうすれば どうして とは何ですか とは何 何ですか でしょうか ください ですか ますか なぜ とは どこ どれ ' +
  'อย่างไร ทำไม อะไร ที่ไหน'

/** Left out of a question unless nothing else remains. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'a about above after again all also am an and any anybody anyone anything are as at be because been before being ' +
    'below best better between both but by can cannot could did do does doing done during each either else ever every ' +
    'few find for from further get give given go good had has have having he help her here hers him his how i if in ' +
    'into is it its itself just kind know let like look make many may me mean might more most much must my myself ' +
    'need needs no nor not now of off on once one only or other ought our ours out over own people perhaps please ' +
    'possible really same see shall she should show so some somebody someone something still such sure take tell than ' +
    'that the their theirs them then there these they thing things this those though through to too try trying under ' +
    'until up upon us use used using very want wants was way ways we were what when where whether which while who ' +
    'whom whose why will with within without wonder would yes yet you your yours ' +
    densePhrases
  ).split(' '),
)

const densePhrase = new RegExp(densePhrases.replaceAll(' ', '|'), 'g')

/** Sets what questions are made of apart where words stand without spaces. */
export function setApart(text: string): string {
  return text.replace(densePhrase, ' $& ')
}
