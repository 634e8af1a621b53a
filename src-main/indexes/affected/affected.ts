/** Estimates what would be lost with one archive file: domains, number of captures, and how many of these have their payload in
 *  another file too. It uses index lines, so it needs no bytes of the file if the job's metadata has them. It stops at a time
 *  limit and says what it left out. */
import { join } from 'node:path'
import { giversOf } from '../../archive/store/reading.ts'
import type { AffectedInput, AffectedOutcome } from './affected.thread.ts'
import { captureLines, lineFile, type IndexedFile, type LineParts } from '../lines/captureLines.ts'

/** What would be lost with the file. */
export interface Affected extends AffectedOutcome {
  /** Other files with index lines. Jobs that were never indexed are not searched. */
  othersTotal: number
}

/** Undefined: the content of the file is unknown, because it has no lines and no readable copy, or the time limit came first.
 *  Rejects with the signal's reason. */
export async function affectedBy(
  parts: LineParts,
  file: IndexedFile,
  { msMax, signal }: { msMax: number; signal: AbortSignal },
): Promise<Affected | undefined> {
  const { world } = parts
  const untilMs = world.clock.elapsed() + msMax
  const made = await linesWithin(parts, file, { untilMs, signal })
  if (made === undefined) return undefined
  const others = await otherLines(parts, file.name)
  const input = { lines: made, others, untilMs }
  const outcome = await world.threads.run<AffectedInput, AffectedOutcome>(
    new URL('./affected.thread.ts', import.meta.url),
    input,
    { signal },
  )
  return { ...outcome, othersTotal: others.length }
}

/** Path of the file's lines, which are made if time permits. */
async function linesWithin(
  parts: LineParts,
  file: IndexedFile,
  { untilMs, signal }: { untilMs: number; signal: AbortSignal },
): Promise<string | undefined> {
  const { clock } = parts.world
  const done = new AbortController()
  const timeUp = new AbortController()
  const ended = AbortSignal.any([done.signal, signal])
  const waiting = clock.sleep(Math.max(0, untilMs - clock.elapsed()), ended).then(
    () => timeUp.abort(),
    () => undefined,
  )
  try {
    const build = { signal: AbortSignal.any([timeUp.signal, signal]) }
    const wanted = file.job === null ? [file] : parts.archive.selected({ jobs: [file.job] }).files
    const { files } = await captureLines(
      parts,
      wanted.map((each) => lineFile(parts.folder, each)),
      build,
    )
    return files.find(({ name }) => name === file.name)?.lines
  } catch (error) {
    if (!timeUp.signal.aborted || error !== timeUp.signal.reason) throw error
    return undefined
  } finally {
    done.abort()
    await waiting
  }
}

/** Lines of all other content files with a copy that is not known to be damaged. Lines under a job that no longer owns the file
 *  are skipped. */
async function otherLines({ folder, world, archive }: LineParts, name: string): Promise<string[]> {
  const paths: string[] = []
  for (const job of await world.disk.list(folder)) {
    if (job.kind !== 'folder') continue
    for (const { name: entry } of await world.disk.list(join(folder, job.name))) {
      const other = /^(.+)\.cdxj$/.exec(entry)?.[1]
      const file = other === undefined || other === name ? undefined : archive.file(other)
      if (file?.kind !== 'content' || giversOf(archive.places, file).length === 0) continue
      const path = join(folder, job.name, entry)
      if (lineFile(folder, file).lines === path) paths.push(path)
    }
  }
  return paths
}
