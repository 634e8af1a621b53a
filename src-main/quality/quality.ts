/** Entrance of the floor: what is missing from jobs, and the jobs that mend it. */
import type { Jobs } from '../crawl/crawl.ts'
import type { Indexes } from '../indexes/indexes.ts'
import type { ViewedSelection, WrittenMiss } from '../viewer/viewer.ts'
import { missAdding, type AddedUrls } from './misses/addMisses.ts'
import { browsedMisses } from './misses/browsed.ts'
import { missGathering } from './misses/gathering.ts'
import { missLists, type MissLists } from './misses/missList.ts'
import { missRules, type MissRules } from './misses/missRules.ts'
import { openVerdicts, type Verdicts } from './verdicts/verdicts.ts'
import { openOverlays, type Overlays } from './overlays/overlays.ts'
import { openPatches, type Patches } from './patches/patches.ts'
import { openQualityFiles, type QualityFiles } from './records/qualityFiles.ts'
import type { QualityFilesParts } from './records/qualityFilesParts.ts'

export { whyMissing, type WhyMissingParts } from './reasons/whyMissing.ts'

/** What the floor needs from the engine. */
export interface QualityParts extends QualityFilesParts {
  jobs: Jobs
  indexes: Pick<Indexes, 'crawlLogs'>
  /** The selection of a view. Undefined: there is no such view. */
  selectionOf: (view: number) => ViewedSelection | undefined
}

/** The open floor. */
export interface Quality {
  /** Takes what was missing while browsing, in the transaction of the caller. */
  noteBrowsed(misses: readonly WrittenMiss[]): void
  misses: MissLists &
    MissRules & {
      /** Adds URLs that a user wants, and returns their number. Throws `Fault` notFound, badInput or refused. */
      add(added: AddedUrls): number
    }
  patches: Patches
  overlays: Overlays
  verdicts: Verdicts
  /** Records about jobs, in files of their own. */
  files: QualityFiles
  /** To be called when a job has ended: makes overlays, restores what quality files tell, and stores what waits. Faults are reported. */
  settle(): Promise<void>
  /** Resolves when what a kill left has been settled, and what was imported has been restored. */
  begun: Promise<void>
  close(): Promise<void>
}

/** Opens the floor. Misses are brought up to date when they are asked for; of its own it stores quality files that a kill left, and
 *  settles overlays and verdicts at the start. */
export function openQuality(parts: QualityParts): Quality {
  const { archive } = parts
  const files = openQualityFiles(parts)
  const overlays = openOverlays({ ...parts, files })
  const verdicts = openVerdicts({ ...parts, files })
  const settle = async () => {
    await overlays.settle()
    await verdicts.settle()
  }
  // What the end of a job began before a kill.
  const begun = parts.isEngine ? parts.ready.then(settle) : Promise.resolve()
  return {
    noteBrowsed: browsedMisses({ ...parts, jobsWithFiles: () => archive.jobsWithFiles() }),
    misses: { ...missLists({ ...parts, gather: missGathering(parts) }), ...missRules(parts), add: missAdding(parts) },
    patches: openPatches(parts),
    overlays,
    verdicts,
    files,
    settle,
    begun,
    async close() {
      await overlays.close()
      await verdicts.close()
      await begun
      await files.close()
    },
  }
}
