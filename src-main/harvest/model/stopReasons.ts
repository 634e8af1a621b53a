/** Why the harvest of a domain stopped. */
import type { DomainStopReason } from '../../contract/services/harvestStatistics.ts'

export { domainStopReasons as stopReasons } from '../../contract/services/harvestStatistics.ts'
export type StopReason = DomainStopReason
