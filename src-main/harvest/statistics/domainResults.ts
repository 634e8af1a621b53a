/** Results per domain of a generated job: only its domains count, and a limit may be that of the configuration (NetarchiveSuite 7,
 *  `HarvestReport.postProcess`). Pure. */
import { compareLimits, type Limits } from '../model/configurations.ts'
import type { StopReason } from '../model/stopReasons.ts'
import type { DomainCount } from './domainCounts.ts'

/** A configuration of the job. */
export interface HarvestedConfiguration extends Limits {
  domain: string
  configuration: string
}

/** What a job fetched of a configuration. */
export interface DomainResult extends DomainCount {
  domain: string
  configuration: string
}

/** Returns the results of the configurations of a job with these limits. A domain that is not in the log has no result. */
export function resultsOfConfigurations(
  counts: ReadonlyMap<string, DomainCount>,
  configurations: readonly HarvestedConfiguration[],
  job: Limits,
): DomainResult[] {
  return configurations.flatMap((configuration) => {
    const count = counts.get(configuration.domain)
    if (count === undefined) return []
    const { domain, configuration: name } = configuration
    return [{ ...count, domain, configuration: name, stopReason: exactReason(count, configuration, job) }]
  })
}

function exactReason({ stopReason, bytes }: DomainCount, { objectsMax, bytesMax }: Limits, job: Limits): StopReason {
  const isOwnSize = compareLimits(bytesMax, job.bytesMax) <= 0 || compareLimits(bytesMax, bytes) <= 0
  if (stopReason === 'SIZE_LIMIT' && bytesMax !== null && isOwnSize) return 'CONFIG_SIZE_LIMIT'
  const isOwnCount = objectsMax !== null && compareLimits(objectsMax, job.objectsMax) <= 0
  return stopReason === 'OBJECT_LIMIT' && isOwnCount ? 'CONFIG_OBJECT_LIMIT' : stopReason
}
