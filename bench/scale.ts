/** Measures how Loupe behaves as an archive grows (`npm run bench:scale [-- --queued LIST --captures LIST --draw]`): the queue with 10^3 to
 *  10^7 URLs, and the capture index with 10^5 to 10^8 captures. Each size has a process of its own. Prints both tables; with `--draw`, also
 *  writes them as pictures to `docs/scale`. The sizes are compared with the smallest one. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chartsOf, type Curve } from './lineCharts.ts'
import { machineLine, measured, printRatio, ratioOf } from './measure.ts'
import type { CapturesPoint, QueuePoint } from './scalePoints.ts'

const { values } = parseArgs({
  options: {
    queued: { type: 'string', default: '1000,10000,100000,1000000,10000000' },
    captures: { type: 'string', default: '100000,1000000,10000000,100000000' },
    draw: { type: 'boolean', default: false },
  },
})
const sizesOf = (list: string) => (list === '' ? [] : list.split(',').map(Number))
const pictures = join(import.meta.dirname, '../docs/scale')

/** A column of a table, and a curve of a picture. */
interface Column<Point> {
  title: string
  value: (point: Point) => number
}

const queueColumns: Column<QueuePoint>[] = [
  { title: 'documents/s', value: ({ documentsPerSecond }) => documentsPerSecond },
  { title: 'new URLs/s', value: ({ addedPerSecond }) => addedPerSecond },
  { title: 'commit, ms', value: ({ commitMs }) => commitMs },
  { title: 'commit p99, ms', value: ({ commitMsP99 }) => commitMsP99 },
  { title: 'refill, ms', value: ({ refillMs }) => refillMs },
  { title: 'memory, MB', value: ({ peakBytes }) => peakBytes / 1e6 },
  { title: 'disk, bytes per URL', value: ({ diskBytes, size }) => diskBytes / size },
]
const capturesColumns: Column<CapturesPoint>[] = [
  { title: 'captures/s', value: ({ capturesPerSecond }) => capturesPerSecond },
  { title: 'lookup, µs', value: ({ lookupUs }) => lookupUs },
  { title: 'lookup p99, µs', value: ({ lookupUsP99 }) => lookupUsP99 },
  { title: 'memory, MB', value: ({ peakBytes }) => peakBytes / 1e6 },
  { title: 'disk, bytes per capture', value: ({ diskBytes, size }) => diskBytes / size },
]

/** Measures each size in a process of its own. */
async function pointsOf<Point>(file: string, sizes: readonly number[]): Promise<Point[]> {
  const points: Point[] = []
  for (const size of sizes) {
    const command = [process.execPath, join(import.meta.dirname, file), '--size', String(size)]
    const { stdout } = await measured(command, { cwd: import.meta.dirname, good: [0] })
    points.push(JSON.parse(stdout) as Point)
    console.error(`${file} with ${size.toLocaleString('en')} done; ${machineLine().split(', ').at(-1)}`)
  }
  return points
}

/** The table in Markdown, one row per size. */
function tableOf<Point extends { size: number }>(what: string, points: Point[], columns: Column<Point>[]): string {
  const number = (value: number) =>
    value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })
  const rows = points.map((point) => [number(point.size), ...columns.map(({ value }) => number(value(point)))])
  const head = [what, ...columns.map(({ title }) => title)]
  return [head, head.map(() => '---:'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function curvesOf<Point extends { size: number }>(points: Point[], columns: Column<Point>[]): Curve[] {
  return columns.map(({ title, value }) => ({
    title,
    points: points.map((point) => ({ x: point.size, y: value(point) })),
  }))
}

async function draw(name: string, xTitle: string, curves: Curve[]): Promise<void> {
  await mkdir(pictures, { recursive: true })
  await writeFile(join(pictures, `${name}.svg`), chartsOf({ xTitle, curves }))
}

/** Compares the largest size with the smallest one. */
function compare<Point extends { size: number }>(work: string, points: Point[], column: Column<Point>): void {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || first === last) return
  const [theirs, ours] = [column.value(first), column.value(last)]
  const peer = `Loupe with ${first.size.toLocaleString('en')}`
  const isRate = column.title.endsWith('/s')
  const unit = isRate ? column.title : (column.title.split(', ').at(-1) ?? '')
  const of = `${work}: ${column.title.split(',')[0]} with ${last.size.toLocaleString('en')}`
  printRatio(ratioOf({ work: of, peer, theirs, ours, unit }, isRate ? 'higher' : 'lower'))
}

console.log(machineLine())
const queue = await pointsOf<QueuePoint>('scaleQueue.ts', sizesOf(values.queued))
const captures = await pointsOf<CapturesPoint>('scaleCaptures.ts', sizesOf(values.captures))
console.log(tableOf('queued URLs', queue, queueColumns))
console.log(tableOf('captures', captures, capturesColumns))
if (values.draw) {
  if (queue.length > 0) await draw('queue', 'queued URLs', curvesOf(queue, queueColumns))
  if (captures.length > 0) await draw('captures', 'captures in the index', curvesOf(captures, capturesColumns))
}
for (const column of queueColumns.filter(({ title }) => ['documents/s', 'commit, ms'].includes(title)))
  compare('queue', queue, column)
for (const column of capturesColumns.filter(({ title }) => ['captures/s', 'lookup, µs'].includes(title)))
  compare('capture index', captures, column)
