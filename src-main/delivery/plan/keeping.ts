/** Copies what a new version of a plan keeps of the version before: documents, parts and statuses. There may be millions, so they are copied
 *  in pages. What a kill interrupts is repeated before the version runs. */
import type { DeliveryState } from '../../contract/states/deliveryStates.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { keepingStatements } from './keeping.sql.ts'
import { planStatements } from './plans.sql.ts'

/** Documents of one transaction: some ten milliseconds. */
const pageDocumentsMax = 500

interface KeepingSetting {
  store: Store
  clock: Pick<Clock, 'sleep'>
}

/** Completes a version, and before it those from which it keeps. Rejects with the signal's reason. */
export async function completeVersion(setting: KeepingSetting, id: number, signal: AbortSignal): Promise<void> {
  const { store } = setting
  const sql = planStatements(store)
  const version = sql.one.get({ id })
  if (!version || version.keeping === null) return
  const before = sql.versions.all({ name: version.name }).find((each) => each.version < version.version)
  if (before) {
    await completeVersion(setting, before.id, signal)
    await keep(setting, { plan: id, before: before.id, states: JSON.parse(version.keeping) as DeliveryState[] }, signal)
  }
  keepingStatements(store).end.run({ plan: id })
}

interface Kept {
  plan: number
  before: number
  states: readonly DeliveryState[]
}

/** Scanners and destinations are the same where their names are. */
async function keep(setting: KeepingSetting, { plan, before, states }: Kept, signal: AbortSignal): Promise<void> {
  const { store } = setting
  const plans = planStatements(store)
  const sql = keepingStatements(store)
  const earlier = new Map(plans.scanners.all({ plan: before }).map(({ id, name }) => [name, id]))
  for (const { id: to, name } of plans.scanners.all({ plan })) {
    const from = earlier.get(name)
    if (from === undefined) continue
    const sources = new Map(plans.destinations.all({ scanner: from }).map((each) => [each.name, each.id]))
    const pairs = plans.destinations.all({ scanner: to }).flatMap(({ id: toDestination, name: destination }) => {
      const fromDestination = sources.get(destination)
      return fromDestination === undefined ? [] : [{ fromDestination, toDestination }]
    })
    await inPages(setting, from, signal, (page) => {
      sql.scanned.run({ from, to, ...page })
      while (sql.parts.run({ from, to, ...page }) > 0);
      for (const pair of pairs) sql.statuses.run({ from, to, ...page, ...pair, states: JSON.stringify(states) })
    })
    await inPages(setting, to, signal, (page) => sql.forget.run({ scanner: to, ...page }))
  }
}

/** Calls `act` for pages of the documents of a scanner, each in a transaction of its own. Other work runs in between. */
async function inPages(
  { store, clock }: KeepingSetting,
  scanner: number,
  signal: AbortSignal,
  act: (page: { after: number; last: number }) => void,
): Promise<void> {
  const sql = keepingStatements(store)
  for (let after = 0; ;) {
    signal.throwIfAborted()
    const last = sql.pageEnd.get({ scanner, after, limit: pageDocumentsMax })?.last
    if (typeof last !== 'number') return
    const page = { after, last }
    store.transaction(() => act(page))
    after = last
    await clock.sleep(1)
  }
}
