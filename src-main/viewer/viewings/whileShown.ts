/** What goes on beside a viewing as long as it shows something: it tells how far the index is, and when that is whole it looks which
 *  of its files no replica gives. */
import type { Archive } from '../../archive/store/archive.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { selectionText } from '../../contract/shapes/selection.ts'
import type { CaptureIndex } from '../../indexes/indexes.ts'
import type { World } from '../../world/world.ts'
import { progressReportMsMin } from '../model/limits.ts'
import { noteMissing, type FilesMissing } from './missingFiles.ts'
import type { View } from './views.ts'

export interface WatchedView {
  view: View
  index: CaptureIndex
  /** Files of the index that no replica gives, as far as they were looked for. */
  filesLost: FilesMissing
}

interface WatchParts {
  archive: Archive
  world: World
  /** There is more in what it shows, or something is known to be missing. */
  onUpdate: () => void
  onProblem: (error: unknown, doing: string) => void
  /** It is not shown any more. */
  signal: AbortSignal
}

/** Rejects with the signal's reason, and with nothing else. */
export async function watchIndex(shown: WatchedView, parts: WatchParts): Promise<void> {
  const { signal, onProblem } = parts
  await reportProgress(shown, parts)
  try {
    await findMissingFiles(shown, parts)
  } catch (error) {
    signal.throwIfAborted()
    onProblem(error, `looking for the files of ${selectionText(shown.view)}`)
  }
}

async function reportProgress(
  { index, view }: WatchedView,
  { world, onUpdate, onProblem, signal }: WatchParts,
): Promise<void> {
  const whole = new AbortController()
  index.whole
    .catch((error: unknown) => {
      if (!isStopped(error)) onProblem(error, `making the index of ${selectionText(view)}`)
    })
    .finally(() => whole.abort())
  const either = AbortSignal.any([whole.signal, signal])
  while (index.isGrowing) {
    await world.clock.sleep(progressReportMsMin, either).catch(unlessAborted(either))
    signal.throwIfAborted()
    onUpdate()
  }
}

/** The first is told at once, further ones no faster than a person reads. */
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
  const note = (name: string, reason: string | undefined) => {
    signal.throwIfAborted()
    if (reason === undefined) return
    noteMissing(filesLost, { name, reason })
    if (world.clock.elapsed() - reportedMs >= progressReportMsMin) report()
  }
  const { files, filesMissing } = index.completeness
  // Of those whose crawl log could not be read it is told already that they are missing.
  const noted = new Set(filesMissing.map(({ name }) => name))
  for (const { name } of files) {
    if (!noted.has(name)) note(name, await archive.whyNotGiven(name))
    noted.add(name)
  }
  for (const { name, captures } of index.originalFiles())
    if (!noted.has(name)) note(name, await whyNoOriginals(archive, name, captures))
  if (filesLost.count > reportedCount) report()
}

/** Of a file in which duplicates have their originals, and which may belong to no job that is viewed. */
async function whyNoOriginals(archive: Archive, name: string, captures: number): Promise<string | undefined> {
  const reason = archive.file(name)
    ? await archive.whyNotGiven(name)
    : 'the archive has no file of this name: import it'
  if (reason === undefined) return undefined
  const which =
    captures === 1 ? '1 capture is a duplicate of a record' : `${captures} captures are duplicates of records`
  return `by the crawl logs of these jobs ${which} in it, and ${reason}`
}

/** Nobody wanted the index any more: that is no problem. */
function isStopped(error: unknown): boolean {
  return error instanceof Fault && error.code === 'stopped'
}

function unlessAborted(signal: AbortSignal) {
  return (error: unknown) => {
    if (!signal.aborted) throw error
  }
}
