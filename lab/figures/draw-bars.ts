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
/** The colours of the explorer, light and dark by the reader's own setting; the card makes both readable on any page. */
const style = `
.card { fill: #ffffff; stroke: #e4e0d9 } .ink { fill: #1c1b19 } .soft { fill: #5e5a54 } .whisker { stroke: #1c1b19 }
.strong { fill: #c2622d } .weak { fill: #c9c3b8 }
@media (prefers-color-scheme: dark) {
  .card { fill: #1f1d1b; stroke: #35322e } .ink { fill: #ece8e1 } .soft { fill: #b3ada4 } .whisker { stroke: #ece8e1 }
  .strong { fill: #d9773f } .weak { fill: #5a544c }
}
`

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
        `<text x="24" y="${y + 12}" font-size="13" font-weight="600" class="ink">${escapeXml(label)}</text>`,
      )
      y += 24
    }
    for (const bar of bars) {
      const end = place(bar.value)
      const middle = y + barHeight / 2
      parts.push(
        `<text x="${plot.left - 12}" y="${middle + 4.5}" font-size="13" text-anchor="end" class="soft">${escapeXml(bar.label)}</text>`,
        `<rect x="${plot.left}" y="${y}" width="${Math.max(1, end - plot.left).toFixed(1)}" height="${barHeight}" rx="3" class="${bar.kind}"/>`,
      )
      if (bar.low !== undefined && bar.high !== undefined)
        parts.push(
          `<path d="M${place(bar.low).toFixed(1)} ${middle}H${place(bar.high).toFixed(1)}" class="whisker" stroke-width="1.5"/>`,
        )
      const textAt = Math.max(end, bar.high === undefined ? 0 : place(bar.high)) + 8
      parts.push(
        `<text x="${textAt.toFixed(1)}" y="${middle + 4.5}" font-size="13" font-weight="600" class="ink">${escapeXml(bar.text)}</text>`,
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
    `<style>${style}</style>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" class="card"/>`,
    `<text x="24" y="36" font-size="17" font-weight="650" class="ink">${escapeXml(title)}</text>`,
    `<text x="24" y="58" font-size="13" class="soft">${escapeXml(subtitle)}</text>`,
    ...parts,
    '</svg>',
  ].join('\n')}\n`
}
