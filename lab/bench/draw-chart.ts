// How does a log-log chart become SVG? Axes in powers of ten, one line per series, names at the line ends, kept apart.

export interface Series {
  readonly name: string
  readonly color: string
  readonly dashed?: boolean
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

export interface Chart {
  readonly title: string
  readonly subtitle: string
  readonly xLabel: string
  readonly yLabel: string
  readonly series: readonly Series[]
}

const width = 760
const height = 440
const plot = { left: 70, right: 540, top: 76, bottom: 378 }
const labelGap = 17

interface Scale {
  readonly low: number
  readonly high: number
  readonly place: (value: number) => number
}

/** From one power of ten to another; `from` and `to` are pixels. */
function powersOfTen(values: readonly number[], from: number, to: number): Scale {
  const low = Math.floor(Math.log10(Math.min(...values)) + 1e-9)
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) - 0.02))
  const place = (value: number): number => from + ((Math.log10(value) - low) / (high - low)) * (to - from)
  return { low, high, place }
}

function nameOf(exponent: number): string {
  const value = 10 ** exponent
  if (value >= 1_000_000) return `${value / 1_000_000}M`
  if (value >= 1000) return `${value / 1000}k`
  return String(Number(value.toPrecision(1)))
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

interface TextOptions {
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly size?: number
  readonly color?: string
  readonly bold?: boolean
  readonly turned?: boolean
}

function text(x: number, y: number, words: string, options: TextOptions = {}): string {
  const { anchor = 'start', size = 12, color = '#444', bold = false, turned = false } = options
  const turn = turned ? ` transform="rotate(-90 ${x} ${y})"` : ''
  const weight = bold ? ' font-weight="600"' : ''
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" font-size="${size}" fill="${color}"${weight}${turn}>${escapeXml(words)}</text>`
}

function line(x1: number, y1: number, x2: number, y2: number, color: string): string {
  return `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" stroke="${color}" stroke-width="1"/>`
}

function drawAxes(chart: Chart, x: Scale, y: Scale): string[] {
  const parts: string[] = []
  for (let exponent = x.low; exponent <= x.high; exponent++) {
    const at = x.place(10 ** exponent)
    parts.push(line(at, plot.top, at, plot.bottom, '#e4e4e4'))
    parts.push(text(at, plot.bottom + 18, nameOf(exponent), { anchor: 'middle' }))
  }
  for (let exponent = y.low; exponent <= y.high; exponent++) {
    const at = y.place(10 ** exponent)
    parts.push(line(plot.left, at, plot.right, at, '#e4e4e4'))
    parts.push(text(plot.left - 8, at + 4, nameOf(exponent), { anchor: 'end' }))
  }
  parts.push(line(plot.left, plot.bottom, plot.right, plot.bottom, '#888'))
  parts.push(line(plot.left, plot.top, plot.left, plot.bottom, '#888'))
  parts.push(text((plot.left + plot.right) / 2, plot.bottom + 42, chart.xLabel, { anchor: 'middle' }))
  parts.push(text(22, (plot.top + plot.bottom) / 2, chart.yLabel, { anchor: 'middle', turned: true }))
  return parts
}

/** Heights for labels, as near to where they belong as the gap between neighbours allows. */
export function spreadLabels(wanted: readonly number[], gap: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] as number) - (wanted[b] as number))
  const placed = [...wanted]
  for (let round = 0; round < 50; round++)
    for (let at = 1; at < order.length; at++) {
      const [above, below] = [order[at - 1] as number, order[at] as number]
      const lacking = gap - ((placed[below] as number) - (placed[above] as number))
      if (lacking <= 0) continue
      placed[above] = (placed[above] as number) - lacking / 2
      placed[below] = (placed[below] as number) + lacking / 2
    }
  return placed
}

function drawSeries(series: readonly Series[], x: Scale, y: Scale): string[] {
  const ends = series.map(({ points }) => points.at(-1) as { x: number; y: number })
  const heights = spreadLabels(
    ends.map((end) => y.place(end.y)),
    labelGap,
  )
  return series.flatMap(({ name, color, dashed, points }, index) => {
    const places = points.map((point) => ({ x: x.place(point.x), y: y.place(point.y) }))
    const path = places.map((place) => `${place.x.toFixed(1)},${place.y.toFixed(1)}`).join(' ')
    const end = places.at(-1) as { x: number; y: number }
    const height = heights[index] as number
    return [
      `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2.5"${dashed ? ' stroke-dasharray="6 4"' : ''}/>`,
      ...places.map(
        (place) => `<circle cx="${place.x.toFixed(1)}" cy="${place.y.toFixed(1)}" r="3.5" fill="${color}"/>`,
      ),
      line(end.x + 6, end.y, plot.right + 10, height, color),
      text(plot.right + 14, height + 4, name, { color, bold: true }),
    ]
  })
}

/** The chart as a whole SVG document. */
export function drawChart(chart: Chart): string {
  const points = chart.series.flatMap((series) => series.points)
  const x = powersOfTen(
    points.map((point) => point.x * 1.02),
    plot.left,
    plot.right,
  )
  const ys = points.map((point) => point.y)
  const y = powersOfTen(ys, plot.bottom, plot.top)
  const font = 'system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif'
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="${font}">`,
    `<title>${escapeXml(chart.title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(plot.left, 32, chart.title, { size: 17, color: '#111', bold: true }),
    text(plot.left, 54, chart.subtitle, { color: '#666' }),
    ...drawAxes(chart, x, y),
    ...drawSeries(chart.series, x, y),
    '</svg>',
  ].join('\n')}\n`
}
