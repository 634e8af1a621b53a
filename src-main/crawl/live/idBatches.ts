/** Ids of documents in the form in which the statements of live control take them, a bounded number at a time. */
import { batchRows } from './limits.ts'

/** The ids as JSON arrays of at most `batchRows` each. */
export function* idBatches(ids: readonly number[]): Generator<string> {
  for (let at = 0; at < ids.length; at += batchRows) yield JSON.stringify(ids.slice(at, at + batchRows))
}
