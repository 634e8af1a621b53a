/** Records that a generated job adds to its metadata file, in the form in which NetarchiveSuite's programs read them. */
import { duplicateReductionRecord, type SetupRecord } from '../../crawl/model/jobs.sql.ts'
import type { Store } from '../../storage/storage.ts'
import { harvestReadStatements, type HarvestDefinitionDbRow } from '../definitions/harvestDefinitions.sql.ts'
import { sourceStatements, type AliasTime } from './source.sql.ts'

/** Lists the aliases of the domains of a job that count (NetarchiveSuite, `AliasInfo`). */
export function aliasRecord(store: Store, domains: readonly { domain: string }[], alias: AliasTime): SetupRecord {
  const { aliasesOf } = sourceStatements(store)
  const lines = domains.flatMap(({ domain }) =>
    aliasesOf.all({ domain, ...alias }).map(({ name }) => `${name} is an alias for ${domain}\n`),
  )
  return { name: 'aliases', contentType: 'text/plain', text: lines.join('') }
}

/** Lists the jobs in which a generated job should look for content that it fetches again (NetarchiveSuite 7,
 *  `HarvestDefinitionDAO.getJobIdsForDuplicateReductionIndex`); no record if there are none. */
export function continuedJobsRecord(store: Store, harvest: HarvestDefinitionDbRow): SetupRecord[] {
  const jobs = [...previousRun(store, harvest), ...previousSnapshots(store, harvest)]
  return jobs.length === 0 ? [] : [duplicateReductionRecord(jobs)]
}

function previousRun(store: Store, { id, runs }: HarvestDefinitionDbRow): number[] {
  if (runs === 0) return []
  return sourceStatements(store)
    .jobsOfRun.all({ definition: id, run: runs })
    .map(({ job }) => job)
}

/** All jobs of the snapshots that this one continues, and of those before the first of them: the newest older chain. */
function previousSnapshots(store: Store, { kind, id, previousId }: HarvestDefinitionDbRow): number[] {
  if (kind !== 'snapshot') return []
  const all = harvestReadStatements(store)
    .all.all({})
    .filter((each) => each.kind === 'snapshot')
  const byId = new Map(all.map((each) => [each.id, each]))
  const chain = chainFrom(previousId)
  const first = chain.at(-1) ?? id
  const older = all.find((each) => each.id < first && each.runs > 0)
  const { jobsOfRun } = sourceStatements(store)
  return [...chain, ...chainFrom(older?.id ?? null)]
    .flatMap((definition) => jobsOfRun.all({ definition, run: null }))
    .map(({ job }) => job)

  function chainFrom(begin: number | null): number[] {
    const ids: number[] = []
    for (let at = begin; at !== null; at = byId.get(at)?.previousId ?? null) ids.push(at)
    return ids
  }
}
