// Do digests hold what the questions need, and what changed since? Runs over time, questions by runs, two runs, one question.
import { type Comparison, compareEvaluations } from '../../check/evaluation/compare-evaluations.ts'
import type {
  EvaluationRun,
  FoundExpectation,
  Miss,
  QuestionResult,
} from '../../check/evaluation/evaluation.ts'
import type { ProposedQuestion } from '../../check/evaluation/propose-questions.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import { chooseOne, showStages, showTiles, stagesOf, tag } from './frame-page.ts'
import { addressOf, type Child, documentAddress, html, type Markup } from './html.ts'

/** What an evaluation begins with. */
interface Offer {
  readonly proposed: readonly ProposedQuestion[]
  readonly token: string | null
}

/** Runs that are comparable: the same file of questions under the same budget. */
interface RunSeries {
  readonly key: string
  readonly runs: readonly EvaluationRun[]
}

/** The series of runs, that of the last run first. */
function groupRuns(runs: readonly EvaluationRun[]): readonly RunSeries[] {
  const keyOf = ({ evaluation }: EvaluationRun): string =>
    `${evaluation.settings.maxTokens} ${evaluation.questionsFile ?? ''}`
  const series = [...Map.groupBy(runs, keyOf)].map(([key, held]) => ({ key, runs: held }))
  const last = ({ runs: held }: RunSeries): string => held.at(-1)?.id ?? ''
  return series.sort((a, b) => (last(a) < last(b) ? 1 : -1))
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`
const stamp = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

/** Runs as columns of the table; older ones are in the drawing and in JSON. */
const COLUMNS = 10
const ROWS = 300

const HEIGHT = 200
const WIDTH = 1000

/** A line chart from 0 to 1. Strokes do not scale with the stretched picture. */
function drawRuns(runs: readonly EvaluationRun[]): Markup {
  const x = (at: number): number =>
    runs.length === 1 ? WIDTH / 2 : 12 + (at * (WIDTH - 24)) / (runs.length - 1)
  const y = (share: number): number => HEIGHT - 8 - share * (HEIGHT - 16)
  const line = (name: string, value: (run: EvaluationRun) => number): Markup => {
    const points = runs.map((run, at) => `${x(at).toFixed(1)} ${y(value(run)).toFixed(1)}`)
    const dots = runs.map((run, at) => {
      const said = `${stamp(run.at)}: ${percent(value(run))}`
      return html`<a href="${addressOf('/eval', { run: run.id })}" aria-label="${name} ${said}"><path class="dot ${name}" vector-effect="non-scaling-stroke" d="M${points[at] ?? ''}h0"/><title>${said}</title></a>`
    })
    return html`<path class="curve ${name}" vector-effect="non-scaling-stroke" d="M${points.join('L')}"/>${dots}`
  }
  const grid = [0, 0.5, 1].map(
    (share) =>
      html`<path class="grid" vector-effect="non-scaling-stroke" d="M0 ${y(share).toFixed(1)}H${WIDTH}"/>`,
  )
  const [first, last] = [runs[0] as EvaluationRun, runs.at(-1) as EvaluationRun]
  return html`<section class="card" aria-label="Over time"><div class="row"><h2>Over time</h2><span class="key push"><span class="k-found">questions that pass</span><span class="k-came">mean coverage</span></span></div>
<div class="chart"><div class="axis small soft" aria-hidden="true"><span>100 %</span><span>50 %</span><span>0 %</span></div><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="group" aria-label="Share of questions that pass and mean coverage, run by run">${grid}${line('coverage', ({ evaluation }) => evaluation.totals.meanCoverage)}${line('passing', ({ evaluation }) => evaluation.totals.passRate)}</svg></div>
<div class="row small soft"><span>${stamp(first.at)}</span>${runs.length > 1 ? html`<span class="push">${stamp(last.at)}</span>` : ''}</div></section>`
}

function listRuns(runs: readonly EvaluationRun[]): Markup {
  const shown = runs.slice(-COLUMNS)
  const rows = shown
    .map(({ id, at, evaluation }, index) => {
      const { totals, fingerprint, yoreVersion } = evaluation
      const before = runs[runs.length - shown.length + index - 1]
      const difference =
        before === undefined
          ? ''
          : html`<a href="${addressOf('/eval', { from: before.id, to: id })}">since the one before</a>`
      return html`<tr><td class="n soft">${runs.length - shown.length + index + 1}</td><td class="stamp"><a href="${addressOf('/eval', { run: id })}">${stamp(at)}</a></td><td class="n">${formatCount(totals.passed)} of ${formatCount(totals.questions)}</td><td class="n">${totals.meanCoverage.toFixed(2)}</td><td class="n">${formatCount(totals.meanTokens)}</td><td class="mono soft">${fingerprint.slice(0, 8)}</td><td class="soft">${yoreVersion}</td><td>${difference}</td></tr>`
    })
    .reverse()
  return html`<section class="card scroll" tabindex="0" aria-label="Runs"><h2>Runs</h2><table><thead><tr><th class="n">#</th><th>run</th><th class="n">pass</th><th class="n">coverage</th><th class="n">tokens</th><th>index</th><th>yore</th><th>difference</th></tr></thead><tbody>${rows}</tbody></table></section>`
}

/** Every question with its coverage in the last runs, the worst of the last run first. */
function listQuestions({ key, runs }: RunSeries): Markup {
  const shown = runs.slice(-COLUMNS)
  const byRun = shown.map(({ evaluation }) => new Map(evaluation.questions.map((one) => [one.id, one])))
  const latest: readonly QuestionResult[] = [...(byRun.at(-1)?.values() ?? [])]
  const rows = latest
    .toSorted((a, b) => a.coverage - b.coverage || Number(a.passed) - Number(b.passed))
    .slice(0, ROWS)
    .map(({ id, question }) => {
      const cells = byRun.map((questions) => {
        const result = questions.get(id)
        return result === undefined
          ? html`<td class="n soft">–</td>`
          : html`<td class="n"><span class="tag ${result.passed ? 'good' : 'bad'}">${result.coverage.toFixed(2)}</span></td>`
      })
      return html`<tr><td class="asked"><a href="${addressOf('/eval', { question: id, of: key })}">${question}</a> <span class="soft mono">${id}</span></td>${cells}</tr>`
    })
  const heads = shown.map(
    ({ id, at }, index) =>
      html`<th class="n"><a href="${addressOf('/eval', { run: id })}" title="${stamp(at)}">${runs.length - shown.length + index + 1}</a></th>`,
  )
  return html`<section class="card scroll" tabindex="0" aria-label="Questions by runs"><h2>Questions by runs</h2><table><thead><tr><th>question</th>${heads}</tr></thead><tbody>${rows}</tbody></table>${latest.length > ROWS ? html`<p class="small soft">and ${formatCount(latest.length - ROWS)} more, all in JSON</p>` : ''}</section>`
}

const named = (series: RunSeries): string => {
  const { evaluation } = series.runs.at(-1) as EvaluationRun
  return `${evaluation.questionsFile ?? 'questions'} with ${formatQuantity(evaluation.settings.maxTokens, 'token')}`
}

function chooseSeries(all: readonly RunSeries[], chosen: RunSeries): Child {
  if (all.length < 2) return null
  const options = all.map(
    (one) => [one.key, `${named(one)} (${formatQuantity(one.runs.length, 'run')})`] as const,
  )
  return html`<form class="options" action="/eval">${chooseOne('Questions and budget', 'of', chosen.key, options)}<button class="quiet">Show</button></form>`
}

/** A form that only this machine's reader may send. */
function sendForm(token: string | null, fields: Child): Markup {
  return html`<form class="stack tight" method="post" action="${addressOf('/eval/questions', { token: token ?? '' })}"><input type="hidden" name="run" value="1">${fields}</form>`
}

/** Questions of this corpus, to edit and take. */
function showProposals({ proposed, token }: Offer, saved: string): Markup {
  const rows = proposed.map(
    ({ question, path, expected }, at) =>
      html`<li class="proposal"><input type="checkbox" name="take" value="${at}" checked aria-label="Take question ${at + 1}"><input name="q" value="${question}" aria-label="Question ${at + 1}" maxlength="1000"><a class="place" href="${addressOf('/ask', { q: question })}" title="See its digest">${path}</a><input type="hidden" name="expected" value="${expected}"></li>`,
  )
  return html`<div class="lead"><h1>Evaluation</h1><p>Do your questions still find their answers? Keep the questions that people would ask, change their words, and run them: each digest must quote the section that the question was made of.</p></div>${showSaved(saved)}
<section class="card stack"><h2>${formatQuantity(rows.length, 'question')} from your headings and commits</h2>${rows.length === 0 ? html`<p>No heading makes a question here. <a href="/ask">Ask one</a>, and save it with what its digest must hold.</p>` : sendForm(token, html`<ul class="plain">${rows}</ul><div class="row"><button>Save and run</button><span class="small soft">Writes <code>evaluation/questions.jsonl</code>; <code>yore eval</code> runs it in CI.</span></div>`)}</section>`
}

function showSaved(saved: string): Child {
  return saved === ''
    ? null
    : html`<p class="notice">Saved as <b>${saved}</b> in <code>evaluation/questions.jsonl</code>. <code>yore eval</code> asks it from now on.</p>`
}

/** The runs of one series. */
function showRuns(all: readonly RunSeries[], chosen: RunSeries, saved: string, token: string | null): Markup {
  return html`<div class="lead"><h1>Evaluation</h1><p>${formatQuantity(chosen.runs.length, 'run')} of ${named(chosen)}. The same as <code>yore eval</code>, over time.</p></div>${showSaved(saved)}
<div class="row">${sendForm(token, html`<button>Run now</button>`)}<a class="quiet" href="/eval?propose=1">Propose questions</a></div>
${chooseSeries(all, chosen)}${drawRuns(chosen.runs)}${listQuestions(chosen)}${listRuns(chosen.runs)}<p class="small"><a class="quiet" href="${addressOf('/eval.json', { of: chosen.key })}">JSON</a></p>`
}

/** One run, with what its questions miss. */
function showRun({ id, at, evaluation }: EvaluationRun, series: RunSeries): Markup {
  const { totals, settings, questions, fingerprint, yoreVersion } = evaluation
  const tiles: readonly (readonly [string, string])[] = [
    ['questions pass', `${totals.passed} of ${totals.questions}`],
    ['mean coverage', totals.meanCoverage.toFixed(2)],
    ['tokens on average', formatCount(totals.meanTokens)],
    ['allowed', formatCount(settings.maxTokens)],
  ]
  const before = series.runs[series.runs.findIndex((one) => one.id === id) - 1]
  const compare =
    before === undefined
      ? ''
      : html`<a href="${addressOf('/eval', { from: before.id, to: id })}">Compare with the run before</a>, `
  const failed = questions.filter(({ passed }) => !passed)
  const rows = failed
    .slice(0, ROWS)
    .map(
      ({ id: question, question: asked, coverage, misses, forbidden }) =>
        html`<li class="finding"><span><span class="tag bad">${coverage.toFixed(2)}</span> <a href="${addressOf('/eval', { question, of: series.key })}">${asked}</a></span>${misses.map((miss) => html`<span class="small soft">${miss.kind} <span class="mono">${miss.expected}</span>: ${miss.reason}, ${miss.detail}</span>`)}${forbidden.map(({ path, lines }) => html`<span class="small soft">forbidden: ${path}:${lines.start} is quoted</span>`)}</li>`,
    )
  return html`<div class="lead"><h1>Run of ${stamp(at)}</h1><p>Index <span class="mono">${fingerprint.slice(0, 12)}</span>, yore ${yoreVersion}. ${compare}<a href="${addressOf('/eval', { of: series.key })}">${compare === '' ? 'All runs' : 'all runs'}</a></p></div>
${showTiles(tiles)}
<section class="card"><h2>Questions that do not pass · ${failed.length}</h2>${failed.length === 0 ? html`<p class="small soft">Every digest holds what its question needs.</p>` : html`<ul class="plain">${rows}</ul>`}</section>
<p class="small"><a class="quiet" href="${addressOf('/eval.json', { run: id })}">JSON</a></p>`
}

const changes: Readonly<Record<string, readonly [string, 'good' | 'warn' | 'bad' | 'plain']>> = {
  fixed: ['now passes', 'good'],
  better: ['better', 'good'],
  worse: ['worse', 'warn'],
  broken: ['now fails', 'bad'],
  added: ['new', 'plain'],
  removed: ['gone', 'plain'],
}

function compareRuns([before, after]: readonly [EvaluationRun, EvaluationRun]): Comparison {
  return compareEvaluations(before.evaluation, after.evaluation)
}

/** Expectations of a question whose place in the digest changed. */
function listMoves(id: string, [before, after]: readonly [EvaluationRun, EvaluationRun]): Markup[] {
  const states = ({ evaluation }: EvaluationRun): Map<string, string> => {
    const result = evaluation.questions.find((one) => one.id === id)
    const expectations: readonly Expectation[] = [...(result?.hits ?? []), ...(result?.misses ?? [])]
    return new Map(
      expectations.map((one) => [one.expected, 'passage' in one ? `passage ${one.passage}` : one.reason]),
    )
  }
  const now = states(after)
  return [...states(before)]
    .filter(([expected, state]) => now.has(expected) && now.get(expected) !== state)
    .map(
      ([expected, state]) =>
        html`<br><span class="small soft"><span class="mono">${expected}</span>: ${state} → ${now.get(expected)}</span>`,
    )
}

/** The difference of two runs, the bad news first. */
function showDifference(pair: readonly [EvaluationRun, EvaluationRun], series: RunSeries): Markup {
  const [before, after] = pair
  const { passRate, meanCoverage, meanTokens, counts, differences, changes: changed } = compareRuns(pair)
  const order = ['broken', 'worse', 'fixed', 'better', 'added', 'removed']
  const show = (value: number | null): string => value?.toFixed(2) ?? '–'
  const rows = changed
    .toSorted((a, b) => order.indexOf(a.change) - order.indexOf(b.change))
    .slice(0, ROWS)
    .map(({ id, question, change, coverage, tokens }) => {
      const [name, tone] = changes[change] ?? [change, 'plain']
      return html`<tr><td>${tag(name, tone)}</td><td class="asked"><a href="${addressOf('/eval', { question: id, of: series.key })}">${question}</a>${listMoves(id, pair)}</td><td class="n">${show(coverage.before)} → ${show(coverage.after)}</td><td class="n">${tokens.before === null ? '–' : formatCount(tokens.before)} → ${tokens.after === null ? '–' : formatCount(tokens.after)}</td></tr>`
    })
  const tiles: readonly (readonly [string, string])[] = [
    ['questions pass', `${percent(passRate.before)} → ${percent(passRate.after)}`],
    ['mean coverage', `${meanCoverage.before.toFixed(2)} → ${meanCoverage.after.toFixed(2)}`],
    ['tokens on average', `${formatCount(meanTokens.before)} → ${formatCount(meanTokens.after)}`],
    [
      'better, worse, same',
      `${counts.fixed + counts.better}, ${counts.broken + counts.worse}, ${counts.same}`,
    ],
  ]
  const isSameIndex = before.evaluation.fingerprint === after.evaluation.fingerprint
  return html`<div class="lead"><h1>What changed</h1><p>From ${stamp(before.at)} to ${stamp(after.at)}, ${isSameIndex ? 'over the same index' : 'over another index'}. <a href="${addressOf('/eval', { of: series.key })}">All runs</a></p></div>
${showTiles(tiles)}
${differences.map((difference) => html`<p class="notice">${difference}</p>`)}
<section class="card scroll" tabindex="0" aria-label="Questions that changed"><h2>Questions that changed · ${changed.length}</h2>${rows.length === 0 ? html`<p class="small soft">None: every question is where it was.</p>` : html`<table><thead><tr><th>change</th><th>question</th><th class="n">coverage</th><th class="n">tokens</th></tr></thead><tbody>${rows}</tbody></table>`}</section>
<p class="small"><a class="quiet" href="${addressOf('/eval.json', { from: before.id, to: after.id })}">JSON</a></p>`
}

type Expectation = FoundExpectation | Miss

function showExpectation(one: Expectation, before: Expectation | undefined): Markup {
  const isFound = 'passage' in one
  const last = isFound ? `passage ${one.passage}` : one.reason
  const stages = [...stagesOf(one.ranks), ['digest', last] as const]
  const past = before === undefined ? [] : stagesOf(before.ranks)
  const was = past.filter(([name, value]) => stages.some(([other, now]) => other === name && now !== value))
  const place = isFound ? { path: one.path, start: 1 } : { path: one.path, start: one.lines?.start ?? 1 }
  return html`<li class="finding"><div class="row"><span class="tag ${isFound ? 'good' : 'bad'}">${isFound ? 'in the digest' : one.reason}</span><b>${one.kind}</b> ${place.path === null ? html`<span class="mono">${one.expected}</span>` : html`<a class="mono" href="${documentAddress(place.path, { start: place.start, end: place.start })}">${one.expected}</a>`}</div>
${showStages(stages)}${isFound ? (one.cameAlong ? html`<span class="small soft">It follows a reference of another passage.</span>` : '') : html`<span class="small soft">${one.detail}</span>`}${was.length === 0 ? '' : html`<span class="small soft">In the run before: ${was.map(([name, value]) => `${name} ${value}`).join(', ')}</span>`}</li>`
}

/** One question through all runs, and through the stages of the last. */
function showQuestion(id: string, series: RunSeries): Markup {
  const asked = series.runs.flatMap((run) => {
    const result = run.evaluation.questions.find((one) => one.id === id)
    return result === undefined ? [] : [{ run, result }]
  })
  const [previous, latest] = [asked.at(-2), asked.at(-1)]
  if (latest === undefined)
    return html`<div class="lead"><h1>No such question</h1><p>None of these runs asked <span class="mono">${id}</span>. <a href="/eval">All runs</a></p></div>`
  const { result } = latest
  const earlier: readonly Expectation[] = [
    ...(previous?.result.misses ?? []),
    ...(previous?.result.hits ?? []),
  ]
  const ways = [...result.misses, ...result.hits].map((one) =>
    showExpectation(
      one,
      earlier.find(({ kind, expected }) => kind === one.kind && expected === one.expected),
    ),
  )
  const rows = asked
    .slice(-COLUMNS)
    .map(
      ({ run, result: { passed, coverage, tokens } }) =>
        html`<tr><td class="stamp"><a href="${addressOf('/eval', { run: run.id })}">${stamp(run.at)}</a></td><td class="n"><span class="tag ${passed ? 'good' : 'bad'}">${coverage.toFixed(2)}</span></td><td class="n">${formatCount(tokens)}</td><td class="mono soft">${run.evaluation.fingerprint.slice(0, 8)}</td></tr>`,
    )
    .reverse()
  const { maxTokens, depth } = latest.run.evaluation.settings
  return html`<div class="lead"><h1>${result.question}</h1><p><span class="mono">${id}</span>, <a href="${addressOf('/eval', { of: series.key })}">all questions</a></p></div>
<div class="two"><section class="card"><div class="row"><h2>Its way through the stages</h2><a class="quiet push" href="${addressOf('/ask', { q: result.question, max: maxTokens, depth })}">Ask it now</a></div><p class="small soft">Ranks of the section that holds each expectation, in the last run.</p><ul class="plain">${ways}</ul></section>
<aside class="stack" aria-label="Runs" tabindex="0"><section class="card"><h2>Run by run</h2><table><thead><tr><th>run</th><th class="n">coverage</th><th class="n">tokens</th><th>index</th></tr></thead><tbody>${rows}</tbody></table></section></aside></div>`
}

/** The page that its query names, and its facts. */
export function showEvaluation(
  runs: readonly EvaluationRun[],
  query: URLSearchParams,
  offer: Offer,
): { readonly data: unknown; readonly body: Child } {
  const value = (name: string): string => (query.get(name) ?? '').slice(0, 1000)
  const saved = /^saved-\d{1,9}$/.test(value('saved')) ? value('saved') : ''
  const all = groupRuns(runs)
  const run = (name: string): EvaluationRun | undefined => runs.find(({ id }) => id === value(name))
  const [one, from, to] = [run('run'), run('from'), run('to')]
  const named = to ?? one
  const holds = ({ key, runs: held }: RunSeries): boolean =>
    named === undefined ? key === value('of') : held.includes(named)
  const series = all.find(holds) ?? all[0]
  if (series === undefined || query.has('propose'))
    return { data: { runs }, body: showProposals(offer, saved) }
  if (from !== undefined && to !== undefined)
    return { data: compareRuns([from, to]), body: showDifference([from, to], series) }
  if (one !== undefined) return { data: one, body: showRun(one, series) }
  const question = value('question')
  return {
    data: { runs },
    body: question === '' ? showRuns(all, series, saved, offer.token) : showQuestion(question, series),
  }
}
