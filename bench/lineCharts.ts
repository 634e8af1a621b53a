/** Small line charts as one SVG picture, both axes logarithmic, for pages of the documentation. The picture has its own background, so that
 *  it can be read on light and on dark pages. */

/** One chart. */
export interface Curve {
  title: string
  /** In ascending order; all values are positive. */
  points: readonly { x: number; y: number }[]
}

const [width, height] = [320, 220]
/** Space around the area of a chart, for its title and the labels of its axes. */
const margin = { top: 34, right: 18, bottom: 40, left: 58 }
const chartsInRow = 3

/** Returns the charts in rows, with a common horizontal axis. */
export function chartsOf({ xTitle, curves }: { xTitle: string; curves: readonly Curve[] }): string {
  const rows = Math.ceil(curves.length / chartsInRow)
  const size = { width: width * Math.min(chartsInRow, curves.length), height: height * rows }
  const charts = curves.map((curve, at) => {
    const place = `translate(${(at % chartsInRow) * width} ${Math.floor(at / chartsInRow) * height})`
    return `<g transform="${place}">${chartOf(curve, xTitle)}</g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" font-family="sans-serif" font-size="11">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    ...charts,
    '</svg>\n',
  ].join('\n')
}

function chartOf({ title, points }: Curve, xTitle: string): string {
  const across = axisOf(points.map(({ x }) => x), [margin.left, width - margin.right]) // prettier-ignore
  const up = axisOf(points.map(({ y }) => y), [height - margin.bottom, margin.top]) // prettier-ignore
  const bottom = height - margin.bottom
  const places = points.map(({ x, y }) => ({ left: round(across.place(x)), top: round(up.place(y)), y }))
  return [
    text(title, { x: margin.left, y: 18, weight: 'bold' }),
    text(xTitle, { x: (margin.left + width - margin.right) / 2, y: height - 8, anchor: 'middle', fill: '#555' }),
    ...across.ticks.map((tick) => {
      const left = round(across.place(tick))
      return `${line(left, margin.top, left, bottom, '#eee')}${text(powerText(tick), { x: left, y: bottom + 15, anchor: 'middle', fill: '#555' })}`
    }),
    ...up.ticks.map((tick) => {
      const top = round(up.place(tick))
      return `${line(margin.left, top, width - margin.right, top, '#ddd')}${text(shortText(tick), { x: margin.left - 6, y: top + 4, anchor: 'end', fill: '#555' })}`
    }),
    `<polyline fill="none" stroke="#1864ab" stroke-width="2" points="${places.map(({ left, top }) => `${left},${top}`).join(' ')}"/>`,
    ...places.map(
      ({ left, top, y }) =>
        `<circle cx="${left}" cy="${top}" r="3" fill="#1864ab"/>${text(shortText(y), { x: left, y: top - 7, anchor: 'middle' })}`,
    ),
  ].join('')
}

/** A logarithmic axis over whole powers of ten, at least one. */
function axisOf(
  values: readonly number[],
  [from, to]: [number, number],
): { ticks: number[]; place: (value: number) => number } {
  const least = Math.floor(Math.log10(Math.min(...values)))
  const most = Math.max(least + 1, Math.ceil(Math.log10(Math.max(...values))))
  return {
    ticks: Array.from({ length: most - least + 1 }, (_, at) => 10 ** (least + at)),
    place: (value) => from + ((Math.log10(value) - least) / (most - least)) * (to - from),
  }
}

interface TextPlace {
  x: number
  y: number
  anchor?: 'middle' | 'end'
  fill?: string
  weight?: string
}

function text(words: string, { x, y, anchor, fill = '#222', weight }: TextPlace): string {
  const how = `${anchor ? ` text-anchor="${anchor}"` : ''}${weight ? ` font-weight="${weight}"` : ''}`
  return `<text x="${x}" y="${y}" fill="${fill}"${how}>${words}</text>`
}

function line(x1: number, y1: number, x2: number, y2: number, stroke: string): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${stroke}"/>`
}

/** A power of ten, such as 10⁶. */
function powerText(value: number): string {
  const digits = String(Math.round(Math.log10(value)))
  return `10${[...digits].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')}`
}

/** Three significant digits, with k for thousands and M for millions. */
function shortText(value: number): string {
  const [divisor, unit] = value >= 1e6 ? [1e6, 'M'] : value >= 1e4 ? [1e3, 'k'] : [1, '']
  return `${Number((value / divisor).toPrecision(3))}${unit}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
