/** Writes progress-statistics.log as Heritrix 3 does (`CrawlStatSnapshot`, `StatisticsTracker`), so that scripts which split it into
 *  columns, or look for its last line, work. Numbers of the Java machine and of Heritrix's queues are `-`. */

/** The numbers of one line. */
export interface ProgressNumbers {
  atMs: number
  /** Working time of the run, without pauses. */
  runningMs: number
  discovered: number
  queued: number
  fetched: number
  failed: number
  inProgress: number
  bytes: number
}

/** The header line. */
export const progressLegend =
  '           timestamp  discovered      queued   downloaded       doc/s(avg)  KB/s(avg)   dl-failures   busy-thread   mem-use-KB  heap-size-KB   congestion   max-depth   avg-depth\n'

/** Columns at which the numbers end. */
const ends = [32, 44, 57, 74, 85, 99, 113, 126, 140, 153, 165, 177]

/** Returns the line of a sample, with its line end; rates are those since the sample before it. */
export function progressLine(now: ProgressNumbers, before: ProgressNumbers | undefined): string {
  const since = before ?? { runningMs: 0, fetched: 0, bytes: 0 }
  const rate = (amount: number, ms: number) => (ms > 0 ? (amount * 1000) / ms : 0)
  const sinceMs = now.runningMs - since.runningMs
  const documents = [rate(now.fetched - since.fetched, sinceMs), rate(now.fetched, now.runningMs)].map(decimal)
  const kilobytes = [rate(now.bytes - since.bytes, sinceMs), rate(now.bytes, now.runningMs)].map((bytes) =>
    Math.floor(bytes / 1024),
  )
  const columns = [
    ...[now.discovered, now.queued, now.fetched],
    ...[`${documents[0]}(${documents[1]})`, `${kilobytes[0]}(${kilobytes[1]})`],
    ...[now.failed, now.inProgress, '-', '-', '-', '-', '-'],
  ]
  const line = columns.reduce<string>(
    (text, column, at) => `${text}${ended(text, String(column), at)}`,
    secondsOf(now.atMs),
  )
  return `${line}\n`
}

/** Returns the column with the blanks before it. A number that is too long for its column moves those after it. */
function ended(text: string, column: string, at: number): string {
  return column.padStart(Math.max(column.length + 1, (ends[at] ?? 0) - text.length))
}

/** Returns a line about the run as a whole, with its line end, for example `CRAWL ENDED - Finished`. */
export function progressNote(atMs: number, note: string): string {
  return `${secondsOf(atMs)} ${note}\n`
}

function secondsOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}

function decimal(number: number): string {
  return String(Math.round(number * 100) / 100)
}
