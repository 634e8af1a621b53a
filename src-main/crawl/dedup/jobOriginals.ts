/** Opens the captures that the revisits of a run may refer to. Whatever goes wrong, the run continues: documents are then stored in full,
 *  and the log of the job says why. */
import { usualDeduplication } from '../../contract/shapes/deduplication.ts'
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import { selectionMessage } from '../../contract/shapes/selection.ts'
import { message } from '../../contract/words/message.ts'
import type { Archive } from '../../archive/store/archive.ts'
import { openDedupFile, type DedupFile } from '../../indexes/indexes.ts'
import type { Store } from '../../storage/storage.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { moduleOriginals } from '../capture/originals/moduleOriginals.ts'
import type { ChosenModule } from '../../modules/userModule.ts'
import { noOriginals, openOriginals, type Originals } from '../capture/originals/originals.ts'
import type { Log } from '../model/jobLog.ts'
import { continuedJobs } from './continuedJobs.ts'
import type { IndexClient, IndexWanted } from './indexClient.ts'
import { indexRequestStatements } from './indexRequests.sql.ts'

/** What originals are opened with. */
export interface JobOriginalsParts {
  store: Store
  world: World
  archive: Pick<Archive, 'openFile'>
  /** Absent: no index of the archive is used. */
  indexClient?: IndexClient | undefined
  /** A module of the user that is used instead. */
  indexModule?: ChosenModule | undefined
  log: Log
}

/** An index may be evicted between the answer and its use. */
const triesMax = 3

/** A run. */
export interface RunCompared {
  job: number
  definition: HarvestDefinition
  /** Its answers are stored. */
  isKept: boolean
}

/** Opens the originals of a job. The caller closes them. Rejects with the signal's reason. */
export async function jobOriginals(
  parts: JobOriginalsParts,
  { job, definition, isKept }: RunCompared,
  signal: AbortSignal,
): Promise<Originals> {
  const { store, archive, indexModule, log } = parts
  const deduplication = definition.deduplication ?? usualDeduplication
  const isCompared = isKept && deduplication.match !== 'off'
  const indexClient = isCompared && !indexModule ? parts.indexClient : undefined
  const jobs = indexClient ? continuedJobs(store, { job, seeds: definition.seeds, deduplication }) : []
  if (indexClient === undefined || jobs.length === 0) {
    indexRequestStatements(store).forget.run({ job })
    return isCompared && indexModule ? moduleOriginals({ ...parts, deduplication, module: indexModule }) : noOriginals
  }
  const wanted = { job, jobs, excludedTypes: deduplication.excludedTypes }
  const index = await openedIndex(parts, indexClient, wanted, signal)
  if (index === undefined) return noOriginals
  log(
    'info',
    message('jobLog.dedup.begun', { count: index.manifest.entryCounts.url, jobs: selectionMessage({ jobs }) }),
  )
  return openOriginals({ index, archive, deduplication })
}

async function openedIndex(
  { world, log }: JobOriginalsParts,
  client: IndexClient,
  wanted: IndexWanted,
  signal: AbortSignal,
): Promise<DedupFile | undefined> {
  for (let tries = 0; tries < triesMax; tries++) {
    const provided = await client.indexFor(wanted, signal)
    if ('problem' in provided) {
      log('warning', message('jobLog.dedup.without', { problem: provided.problem }))
      return undefined
    }
    const index = await openDedupFile(provided.path, world.disk).catch(undefinedIfFault)
    if (index === undefined) continue
    const { jobsMissing, filesMissing } = provided
    if (jobsMissing.length > 0)
      log('warning', message('jobLog.dedup.jobsMissing', { jobs: selectionMessage({ jobs: jobsMissing }) }))
    if (filesMissing > 0) log('warning', message('jobLog.dedup.filesMissing', { count: filesMissing }))
    return index
  }
  log('warning', message('jobLog.dedup.without', { problem: message('jobLog.dedup.gone') }))
  return undefined
}

function undefinedIfFault(error: unknown): undefined {
  if (!(error instanceof DiskFault)) throw error
}
