/** Decides what the start of a run does with the documents of the previous run: one table over the models of the connectors.
 *  Pure; `scan.ts` performs it. */

/** Content of a connector's seeding: the whole site each time, or only documents that are new, changed or deleted since the last
 *  time. With `CHAINED` models documents are found by following links from document to document. */
export const connectorModels = [
  'ALL',
  'ADD',
  'ADD_CHANGE',
  'ADD_CHANGE_DELETE',
  'PARTIAL',
  'CHAINED_ADD',
  'CHAINED_ADD_CHANGE',
  'CHAINED_ADD_CHANGE_DELETE',
] as const
/** One of `connectorModels`. */
export type ConnectorModel = (typeof connectorModels)[number]

/** `full`: documents not found again are removed at the end. `incremental`: all are checked, none is removed. `partial`: only
 *  those found again are checked, none is removed. `existing`: all are queued. `none`: only those that the seeding names. */
export type Scan = 'full' | 'incremental' | 'partial' | 'existing' | 'none'

/** Parameters of the choice of a scan. */
export interface ScanSetting {
  model: ConnectorModel
  isMinimal: boolean
  isContinuous: boolean
  /** True if nothing was seeded before or the definition has changed since: the data of the last run may be wrong now. */
  fromBeginning: boolean
}

/** Chooses the scan. A minimal run has no effect for a connector that lists everything each time, or if all documents must be
 *  rechecked. */
export function scanFor({ model, isMinimal, isContinuous, fromBeginning }: ScanSetting): Scan {
  if (model === 'ADD_CHANGE_DELETE') return fromBeginning ? 'existing' : 'none'
  if (model === 'CHAINED_ADD_CHANGE_DELETE') return fromBeginning ? 'existing' : 'partial'
  if (isMinimal && model !== 'ALL' && !fromBeginning) {
    return model === 'CHAINED_ADD' || model === 'CHAINED_ADD_CHANGE' ? 'partial' : 'none'
  }
  if (!isContinuous && model !== 'PARTIAL' && (model === 'ALL' || fromBeginning)) return 'full'
  return 'incremental'
}
