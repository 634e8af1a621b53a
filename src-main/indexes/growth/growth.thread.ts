/** Counts captures by period and group. Every capture of the ranges is read, twice if there are groups: the first time to find the largest
 *  ones, so that memory does not depend on how many there are. */
import type { Task, World } from '../../world/world.ts'
import { openComplete } from '../captures/manifest.ts'
import { withStore } from '../databases/withStore.ts'
import { growthPeriodsMax, growthRowsAtOnce } from '../model/limits.ts'
import type { Amount, Counted, GrowthInput } from './growth.ts'
import { growthStatements, placeBefore, type CountedRow } from './growth.sql.ts'
import { groupOf, LargestGroups } from './groups.ts'
import { periodsOf } from './periods.ts'

type Rows = AsyncIterable<readonly CountedRow[]>

export const task: Task<GrowthInput, Counted> = ({ world, signal }, input) =>
  withStore(openComplete(input.database), async (store) => {
    const rows = () => eachRow({ world, sql: growthStatements(store), signal }, input)
    return countedIn(rows(), input, await largestIn(rows(), input))
  })

interface Reading {
  world: World
  sql: ReturnType<typeof growthStatements>
  signal: AbortSignal
}

/** Yields the captures in pages, in the order of their keys. Rejects with the signal's reason. */
async function* eachRow({ world, sql, signal }: Reading, { ranges }: GrowthInput): AsyncGenerator<CountedRow[]> {
  for (const range of ranges)
    for (let after = placeBefore(range); ;) {
      const rows = sql.captures.all({ ...after, to: range.to, limit: growthRowsAtOnce })
      yield rows
      const last = rows.at(-1)
      if (last === undefined || rows.length < growthRowsAtOnce) break
      const { key, timestampMs, file, offset } = last
      after = { key, timestampMs, file, offset }
      await world.clock.sleep(0)
      signal.throwIfAborted()
    }
}

/** Names of the groups with the most captures, the largest first. */
async function largestIn(rows: Rows, { by, groupsMax }: GrowthInput): Promise<string[]> {
  const largest = new LargestGroups(groupsMax)
  if (by !== undefined) for await (const page of rows) for (const row of page) largest.add(groupOf[by](row))
  return largest.names()
}

/** Adds the captures up: the groups of these names, and everything else as the last one. */
async function countedIn(rows: Rows, { by, period }: GrowthInput, names: readonly string[]): Promise<Counted> {
  const places = new Map(names.map((name, at) => [name, at]))
  const periodOf = periodsOf(period)
  const zeros = () => Array.from({ length: names.length + 1 }, (): Amount => ({ captures: 0, bytes: 0 }))
  const sums = new Map<string, Amount[]>()
  for await (const page of rows)
    for (const row of page) {
      const name = periodOf(row.timestampMs)
      const amounts = sums.get(name) ?? zeros()
      sums.set(name, amounts)
      if (sums.size > growthPeriodsMax) return undefined
      const amount = amounts[(by && places.get(groupOf[by](row))) ?? names.length]
      if (amount) add(amount, { captures: 1, bytes: row.length })
    }
  const [totals, whole] = [zeros(), { captures: 0, bytes: 0 }]
  for (const amounts of sums.values())
    for (const [at, amount] of amounts.entries()) for (const sum of [totals[at], whole]) if (sum) add(sum, amount)
  const shown = totals.at(-1)?.captures === 0 ? names.length : totals.length
  return {
    ...whole,
    groups: totals.slice(0, shown).map((total, at) => ({ name: names[at] ?? null, ...total })),
    rows: [...sums.keys()]
      .toSorted()
      .map((name) => ({ period: name, amounts: (sums.get(name) ?? []).slice(0, shown) })),
  }
}

function add(sum: Amount, { captures, bytes }: Amount): void {
  sum.captures += captures
  sum.bytes += bytes
}
