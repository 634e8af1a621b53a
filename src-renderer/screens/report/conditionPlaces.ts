/** Screens on which a condition of an NDSA level can be met. The required action comes from the engine (`archive/report/ndsa.ts`). */
import type { PreservationReport } from '../../../src-main/contract/services/archiveStatus.ts'
import type { WordId } from '../../words/words.tsx'
import type { Route } from '../../routes/routes.ts'

export type Condition = PreservationReport['levels'][number]['conditions'][number]

export interface Way {
  to: Route
  name: WordId
}

const settings: Way = { to: { place: 'settings' }, name: 'report.go.settings' }
const replicas: Way = { to: { place: 'archive', tab: 'replicas' }, name: 'report.go.replicas' }
const repair: Way = { to: { place: 'archive', tab: 'repair' }, name: 'report.go.repair' }
const backups: Way = { to: { place: 'archive', tab: 'backups' }, name: 'report.go.backups' }
const audit: Way = { to: { place: 'archive', tab: 'audit' }, name: 'report.go.audit' }
const jobs: Way = { to: { place: 'jobs' }, name: 'report.go.jobs' }

/** Conditions that are met by an action other than a setting. All others are met by `places` or declared in the report. */
export const ways: Readonly<Record<string, readonly Way[]>> = {
  fixedIntervals: [settings, replicas],
  checksDocumented: [replicas, audit],
  afterEvents: [replicas],
  damageRepaired: [repair],
  contentKnown: [jobs],
  actionsRecorded: [audit],
  integrityElsewhere: [settings, backups],
  inventoryElsewhere: [settings, backups],
}

/** Empty when nothing needs to be done, or the condition can only be declared. */
export function waysTo({ id, state, isChecked }: Condition): readonly Way[] {
  return state === 'notMet' && isChecked ? (ways[id] ?? [settings]) : []
}
