/** The maximum activity and maximum bandwidth reports: the busiest window of each class of identifiers. */
import { timeOf } from '../../contract/text/timeOf.ts'
import type { HistoryQuery } from '../../contract/services/history.ts'
import { classifierOf, patternOf } from '../../patterns/pattern.ts'
import { busiestWindow, type TimedActivity } from './busiest.ts'
import { activityConditions } from './filters.ts'
import { batchRows } from './limits.ts'
import { paged, type Made, type MakeReport, type ReportSource } from './reportPage.ts'

type Measure = 'activities' | 'bytes'

/** Makes the report on activities per minute. */
export const maximumActivity: MakeReport = (source, query) =>
  maximum(source, query, 'activities', (amount) => (amount * 60) / query.windowSeconds)

/** Makes the report on bytes per second. */
export const maximumBandwidth: MakeReport = (source, query) =>
  maximum(source, query, 'bytes', (amount) => amount / query.windowSeconds)

async function maximum(
  source: ReportSource,
  query: HistoryQuery,
  measure: Measure,
  rateOf: (amount: number) => number,
): Promise<Made> {
  const { classes, leftOut } = await lastingByClass(source, query, measure)
  const busiest = [...classes].flatMap(([name, all]) => {
    const found = busiestWindow(all, query.windowSeconds * 1000)
    const total = all.reduce((sum, { amount }) => sum + amount, 0)
    return found ? [{ ...found, name, total, rate: rounded(rateOf(found.amount)) }] : []
  })
  busiest.sort((one, other) => other.rate - one.rate || (one.name < other.name ? -1 : 1))
  const made = paged(busiest, query, {
    cells: ({ name, rate, fromMs, toMs, total }) => [name, rate, timeOf(fromMs), timeOf(toMs), total],
    bar: ({ name, rate }) => ({ name, amount: rate }),
    amounts: measure === 'activities' ? 'perMinute' : 'bytesPerSecond',
  })
  return { ...made, leftOut }
}

interface Read {
  id: number
  startMs: number
  durationMs: number
  bytes: number | null
  identifier: string
}

/** Reads the activities by class, in batches in order of their id, and checks the signal between batches. */
async function lastingByClass({ store, signal }: ReportSource, query: HistoryQuery, measure: Measure) {
  const { where, values } = activityConditions(query)
  const next = store.statement<object, Read>(
    `SELECT id, start_ms AS startMs, duration_ms AS durationMs, bytes, identifier FROM activity
     ${where === '' ? 'WHERE' : `${where} AND`} id > @after ORDER BY id LIMIT @batch`,
  )
  const classOf = classifierOf(patternOf(query.identifierClass))
  const classes = new Map<string, TimedActivity[]>()
  let leftOut = 0
  for (let after = 0, batch: Read[]; ; after = batch.at(-1)?.id ?? 0) {
    batch = next.all({ ...values, after, batch: batchRows })
    for (const { startMs, durationMs, bytes, identifier } of batch) {
      const amount = measure === 'activities' ? 1 : (bytes ?? 0)
      const name = classOf(identifier)
      if (name === null) leftOut += amount
      else {
        const known = classes.get(name)
        const lasting = { startMs, endMs: startMs + Math.max(durationMs, 1), amount }
        if (known) known.push(lasting)
        else classes.set(name, [lasting])
      }
    }
    if (batch.length < batchRows) return { classes, leftOut }
    await Promise.resolve()
    signal.throwIfAborted()
  }
}

/** Rounds to three decimals, for display. */
function rounded(rate: number): number {
  return Math.round(rate * 1000) / 1000
}
