// Which words of a question carry no meaning for search? Function words and the words questions are made of: of English,
// and of languages written without spaces, in whose runs of characters they would make pairs that no document has.

/** What Chinese, Japanese and Thai questions are made of, the longer before the shorter. */
const densePhrases =
  '为什么 為什麼 是什么 是什麼 什么是 什麼是 有什么 有什麼 有没有 能不能 怎么样 如何 怎样 怎樣 怎么 怎麼 什么 什麼 为何 为啥 哪些 哪个 哪個 ' +
  '哪里 哪裡 哪种 多少 请问 請問 能否 是否 可以 应该 應該 ' +
  'どのように どうやって どうすれば どうして とは何ですか とは何 何ですか でしょうか ください ですか ますか なぜ とは どこ どれ ' +
  'อย่างไร ทำไม อะไร ที่ไหน'

const pronouns = ['any', 'some'].flatMap((start) => ['body', 'one', 'thing'].map((end) => start + end))

/** Ignored in a question unless nothing else remains; in all forms, because questions tell stories ("it keeps going back"). */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'a able about above actually after again all also am an and any anyway are as asks at ' +
    'basically be because been before being below best better between both but by came can cannot come comes ' +
    'coming could did do does doing done during each easily either else even ever every few find finds for from ' +
    'further gave get gets getting give given gives giving go goes going gone good got gotten guess had happen ' +
    'happened happening happens has have having he help helped helping helps her here hers him his how i if in ' +
    'instead into is it its itself just keeps kind knew know knows let lets letting like liked likes look looked ' +
    'looking looks made make makes making many may maybe me mean means might more most much must my myself need ' +
    'needed needing needs no nor not now of off often on once one only or other ought our ours out over own ' +
    'people perhaps please possible quite rather really said same say says see seeing seem seemed seems seen sees ' +
    'shall she should show showed showing shown shows simply so some somehow sometimes ' +
    'still such sure take taken takes taking tell than that the their theirs them then there these they thing ' +
    'things think thinks this those though through to too took tried tries try trying under until up upon us use ' +
    'used uses using very want wanted wanting wants was way ways we went were what when where whether which while ' +
    'who whom whose why will with within without wonder would yes yet you your yours ' +
    `${pronouns.join(' ')} ${densePhrases}`
  ).split(' '),
)

const densePhrase = new RegExp(densePhrases.replaceAll(' ', '|'), 'g')

/** Puts spaces around question words in scripts without spaces. */
export const setApart = (text: string): string => text.replace(densePhrase, ' $& ')
