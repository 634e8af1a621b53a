/** What the writing of a job's files needs to know of the job. */
import type { WarcVersion } from '../../../formats/records/warcWriter.ts'
import type { Store } from '../../../storage/storage.ts'
import type { World } from '../../../world/world.ts'
import type { MetadataCompression } from '../../model/limits.ts'

/** The job, its run and its folder, as its files name them. */
export interface FileSetting {
  store: Store
  world: World
  /** `<archive>/jobs/<id>`. */
  folder: string
  job: number
  /** Id of the run that writes; part of the names of its working files and of its metadata file. */
  runId: string
  harvest: number
  software: string
  /** How the job harvests, as warcinfo fields, so that the file still documents it years later. */
  practice: readonly string[]
  warcVersion: WarcVersion
  metadataCompression: MetadataCompression
}
