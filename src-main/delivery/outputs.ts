/** Entrance to the output connections of an archive, for the services: the connections, the connectors of the user, and what is known of a
 *  URL at an output. `outputRuns.ts` runs them. */
import { createHash } from 'node:crypto'
import type { OutputDocument } from '../contract/services/outputs.ts'
import type { Store } from '../storage/storage.ts'
import { outputStatements } from './outputs/outputs.sql.ts'

export { openUserConnectors } from './outputs/connectors.ts'
export { openOutputs } from './outputs/outputs.ts'
export type { ReportOfOutput } from './outputs.thread.ts'

/** Returns the function that reads what is known of a URL at an output; null: nothing. */
export function outputDocumentReader(store: Store): (output: number, url: string) => OutputDocument | null {
  const { known } = outputStatements(store)
  const time = (ms: number) => new Date(ms).toISOString()
  return (output, url) => {
    const row = known.get({ output, key: createHash('sha256').update(url).digest() })
    if (!row) return null
    const { state, firstMs, lastMs, checkedMs, ...rest } = row
    const times = { first: time(firstMs), last: time(lastMs), checked: time(checkedMs) }
    return { ...rest, ...times, state: state === '' ? null : state }
  }
}
