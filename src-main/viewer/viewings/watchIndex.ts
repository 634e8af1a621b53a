/** Background work for the view that a viewing shows: reports the progress of its index, and when that is complete, checks
 *  which of its files no replica provides. */
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { OnProblem } from '../model/onProblem.ts'
import type { Archive } from '../../archive/store/archive.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { selectionMessage } from '../../contract/shapes/selection.ts'
import type { CaptureIndex } from '../../indexes/indexes.ts'
import type { World } from '../../world/world.ts'
import { progressReportMsMin } from '../model/limits.ts'
import { noteMissing, type FilesMissing } from './missingFiles.ts'
import type { View } from './views.ts'

/** A view and its index. */
export interface WatchedView {
  view: View
  index: CaptureIndex
  /** Files of the index that no replica provides, as far as they were checked. */
  filesLost: FilesMissing
}

interface WatchParts {
  archive: Archive
  world: World
  /** Called when the index has more captures, or when another file is found missing. */
  onUpdate: () => void
  onProblem: OnProblem
  /** Aborted when the view is no longer shown. */
  signal: AbortSignal
}

/** Runs until the files were checked. Rejects only with the signal's reason; other errors go to `onProblem`. */
export async function watchIndex(shown: WatchedView, parts: WatchParts): Promise<void> {
  const { signal, onProblem } = parts
  await reportProgress(shown, parts)
  try {
    await findMissingFiles(shown, parts)
  } catch (error) {
    signal.throwIfAborted()
    onProblem(error, (problem) => message('viewer.problem.files', { selection: selectionMessage(shown.view), problem }))
  }
}

/** Calls `onUpdate` at intervals until the index is complete. An error of the build goes to `onProblem`. */
async function reportProgress(
  { index, view }: WatchedView,
  { world, onUpdate, onProblem, signal }: WatchParts,
): Promise<void> {
  const whole = new AbortController()
  index.whole
    .catch((error: unknown) => {
      if (isStopped(error)) return
      onProblem(error, (problem) => message('viewer.problem.index', { selection: selectionMessage(view), problem }))
    })
    .finally(() => whole.abort())
  const either = AbortSignal.any([whole.signal, signal])
  while (index.isGrowing) {
    await sleepUnlessAborted(world.clock, progressReportMsMin, either)
    signal.throwIfAborted()
    onUpdate()
  }
}

/** Checks every file of the index. The first missing file is reported at once, further ones at intervals. */
async function findMissingFiles(
  { index, filesLost }: WatchedView,
  { archive, world, onUpdate, signal }: WatchParts,
): Promise<void> {
  let reportedMs = -Infinity
  let reportedCount = 0
  const report = () => {
    reportedMs = world.clock.elapsed()
    reportedCount = filesLost.count
    onUpdate()
  }
  signal.throwIfAborted()
  const note = (name: string, reason: Message | undefined) => {
    signal.throwIfAborted()
    if (reason === undefined) return
    noteMissing(filesLost, { name, reason })
    if (world.clock.elapsed() - reportedMs >= progressReportMsMin) report()
  }
  const { files, filesMissing } = index.completeness
  // Files whose crawl log could not be read are listed as missing already.
  const noted = new Set(filesMissing.map(({ name }) => name))
  for (const { name } of files) {
    if (!noted.has(name)) note(name, await archive.whyNotGiven(name))
    noted.add(name)
  }
  for (const { name, captures } of index.originalFiles())
    if (!noted.has(name)) note(name, await whyNoOriginals(archive, name, captures))
  if (filesLost.count > reportedCount) report()
}

/** Why a file with the originals of duplicates cannot be read. It may belong to a job outside the view. */
async function whyNoOriginals(archive: Archive, name: string, captures: number): Promise<Message | undefined> {
  const problem = archive.file(name) ? await archive.whyNotGiven(name) : message('viewer.file.notImported')
  return problem && message('viewer.file.originals', { count: captures, problem })
}

/** The build was stopped because the index was no longer needed, which is not a problem. */
function isStopped(error: unknown): boolean {
  return error instanceof Fault && error.code === 'stopped'
}
