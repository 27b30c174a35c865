// Which words of a question carry no meaning for search? English function words and the words questions are made of.

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
    'whom whose why will with within without wonder would yes yet you your yours'
  ).split(' '),
)
