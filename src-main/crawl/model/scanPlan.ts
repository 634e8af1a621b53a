/** What the start of a run does with the documents of the run before: one table over the models of the connectors. Pure;
 *  `scan.ts` writes it down. */

/** What a connector's seeding tells of its site: everything each time, or only what is new, changed or deleted since the last. `chained`
 *  ones are followed from document to document. */
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
export type ConnectorModel = (typeof connectorModels)[number]

/** `full`: what is not found again goes at the end. `incremental`: everything is looked at, nothing goes. `partial`: only what
 *  is found again is looked at, nothing goes. `existing`: everything is queued. `none`: only what the seeding names. */
export type Scan = 'full' | 'incremental' | 'partial' | 'existing' | 'none'

export interface ScanSetting {
  model: ConnectorModel
  isMinimal: boolean
  isContinuous: boolean
  /** Nothing was seeded before, or the definition has changed since: what the last run knew may be wrong now. */
  fromBeginning: boolean
}

/** An incremental run means nothing for a connector that lists everything each time, nor when all documents must be rechecked. */
export function scanFor({ model, isMinimal, isContinuous, fromBeginning }: ScanSetting): Scan {
  if (model === 'ADD_CHANGE_DELETE') return fromBeginning ? 'existing' : 'none'
  if (model === 'CHAINED_ADD_CHANGE_DELETE') return fromBeginning ? 'existing' : 'partial'
  if (isMinimal && model !== 'ALL' && !fromBeginning) {
    return model === 'CHAINED_ADD' || model === 'CHAINED_ADD_CHANGE' ? 'partial' : 'none'
  }
  if (!isContinuous && model !== 'PARTIAL' && (model === 'ALL' || fromBeginning)) return 'full'
  return 'incremental'
}
