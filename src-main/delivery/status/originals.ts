/** Reads the scanned documents in a status, a page at a time: there may be millions. */
import type { DeliveryState } from '../../contract/states/deliveryStates.ts'
import type { Clock } from '../../world/world.ts'
import type { statusStatements } from './status.sql.ts'

/** Documents of one query. */
const pageDocumentsMax = 200

interface Asked {
  destination: number
  state: DeliveryState
  /** Documents whose status is newer are left out. */
  delayMs: number
}

/** Yields the row of the scanned document of each document in the status; of several parts, several times. */
export function* originalsIn(
  sql: Pick<ReturnType<typeof statusStatements>, 'inState'>,
  clock: Pick<Clock, 'now'>,
  asked: Asked,
): Generator<number> {
  for (let after = 0; ;) {
    const rows = sql.inState.all({ ...asked, after, nowMs: clock.now(), limit: pageDocumentsMax })
    for (const { original } of rows) yield original
    const last = rows.at(-1)
    if (!last || rows.length < pageDocumentsMax) return
    after = last.document
  }
}
