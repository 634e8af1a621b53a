/** What goes on beside a viewing as long as it shows something: it tells how far the index is, and when that is whole it looks which
 *  of its files no replica gives. */
import type { Archive } from '../../archive/store/archive.ts'
import { Fault } from '../../contract/faults.ts'
import { selectionText } from '../../contract/selection.ts'
import type { CaptureIndex } from '../../indexes/indexes.ts'
import type { World } from '../../world/world.ts'
import { growthToldMsMin } from '../model/limits.ts'
import { noteMissing, type FilesMissing } from './missingFiles.ts'
import type { View } from './views.ts'

export interface Looked {
  view: View
  index: CaptureIndex
  /** Files of the index that no replica gives, as far as they were looked for. */
  filesLost: FilesMissing
}

interface Beside {
  archive: Archive
  world: World
  /** There is more in what it shows, or something is known to be missing. */
  onNews: () => void
  onProblem: (error: unknown, doing: string) => void
  /** It is not shown any more. */
  signal: AbortSignal
}

/** Rejects with the signal's reason, and with nothing else. */
export async function whileShown(shown: Looked, beside: Beside): Promise<void> {
  const { signal, onProblem } = beside
  await tellGrowth(shown, beside)
  try {
    await findLost(shown, beside)
  } catch (error) {
    signal.throwIfAborted()
    onProblem(error, `looking for the files of ${selectionText(shown.view)}`)
  }
}

async function tellGrowth({ index, view }: Looked, { world, onNews, onProblem, signal }: Beside): Promise<void> {
  const whole = new AbortController()
  index.whole
    .catch((error: unknown) => {
      if (!isStopped(error)) onProblem(error, `making the index of ${selectionText(view)}`)
    })
    .finally(() => whole.abort())
  const either = AbortSignal.any([whole.signal, signal])
  while (index.isGrowing) {
    await world.clock.sleep(growthToldMsMin, either).catch(unlessAborted(either))
    signal.throwIfAborted()
    onNews()
  }
}

/** The first is told at once, further ones no faster than a person reads. */
async function findLost({ index, filesLost }: Looked, { archive, world, onNews, signal }: Beside): Promise<void> {
  let toldMs = -Infinity
  let toldCount = 0
  const tell = () => {
    toldMs = world.clock.elapsed()
    toldCount = filesLost.count
    onNews()
  }
  signal.throwIfAborted()
  const note = (name: string, reason: string | undefined) => {
    signal.throwIfAborted()
    if (reason === undefined) return
    noteMissing(filesLost, { name, reason })
    if (world.clock.elapsed() - toldMs >= growthToldMsMin) tell()
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
  if (filesLost.count > toldCount) tell()
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
