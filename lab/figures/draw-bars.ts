// How do horizontal bars become SVG? Groups of bars, a whisker per interval, the value at the end of each bar.

export interface Bar {
  readonly label: string
  readonly value: number
  readonly text: string
  readonly kind: 'strong' | 'weak'
  readonly low?: number
  readonly high?: number
}

export interface BarChart {
  readonly title: string
  readonly subtitle: string
  /** The value at the right edge. */
  readonly most: number
  readonly groups: readonly { readonly label: string; readonly bars: readonly Bar[] }[]
}

const width = 720
const plot = { left: 210, right: 600 }
const barHeight = 20
const gap = 8
/** The colours of the explorer: paper, ink, soft text, line, search result, muted frame. */
const colors = {
  paper: '#ffffff',
  ink: '#1c1b19',
  soft: '#5e5a54',
  line: '#e4e0d9',
  strong: '#c2622d',
  weak: '#c9c3b8',
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The chart as a whole SVG document, on a card that reads on light and dark pages. */
export function drawBars({ title, subtitle, most, groups }: BarChart): string {
  const place = (value: number): number => plot.left + (value / most) * (plot.right - plot.left)
  const parts: string[] = []
  let y = 84
  for (const { label, bars } of groups) {
    if (label !== '') {
      parts.push(
        `<text x="24" y="${y + 12}" font-size="13" font-weight="600" fill="${colors.ink}">${escapeXml(label)}</text>`,
      )
      y += 24
    }
    for (const bar of bars) {
      const end = place(bar.value)
      const middle = y + barHeight / 2
      parts.push(
        `<text x="${plot.left - 12}" y="${middle + 4.5}" font-size="13" text-anchor="end" fill="${colors.soft}">${escapeXml(bar.label)}</text>`,
        `<rect x="${plot.left}" y="${y}" width="${Math.max(1, end - plot.left).toFixed(1)}" height="${barHeight}" rx="3" fill="${colors[bar.kind]}"/>`,
      )
      if (bar.low !== undefined && bar.high !== undefined)
        parts.push(
          `<path d="M${place(bar.low).toFixed(1)} ${middle}H${place(bar.high).toFixed(1)}" stroke="${colors.ink}" stroke-width="1.5"/>`,
        )
      const textAt = Math.max(end, bar.high === undefined ? 0 : place(bar.high)) + 8
      parts.push(
        `<text x="${textAt.toFixed(1)}" y="${middle + 4.5}" font-size="13" font-weight="600" fill="${colors.ink}">${escapeXml(bar.text)}</text>`,
      )
      y += barHeight + gap
    }
    y += 10
  }
  const height = y + 10
  const font = "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="${font}">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${colors.paper}" stroke="${colors.line}"/>`,
    `<text x="24" y="36" font-size="17" font-weight="650" fill="${colors.ink}">${escapeXml(title)}</text>`,
    `<text x="24" y="58" font-size="13" fill="${colors.soft}">${escapeXml(subtitle)}</text>`,
    ...parts,
    '</svg>',
  ].join('\n')}\n`
}
