/** The archive of `replay.ts`: files written by Loupe's own writer and imported with `loupe import` as job 1, in two replicas. Making
 *  it takes some minutes, so it is cached in `.cache/benchmark`, once for each number of captures. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { archivedPage } from './archivedPages.ts'
import { writeFileOf } from './capturedFiles.ts'
import { loupeCommand } from './loupeCommand.ts'
import { measured } from './measure.ts'
import { cache } from './realSite.ts'

const files = 20
/** Must be incremented whenever the content (archivedPages.ts) changes. */
const version = 1

/** The archive's folder and its WARC files. */
export interface ReplayedArchive {
  folder: string
  /** Paths of its WARC files in one replica. */
  files: string[]
}

/** Returns the archive of this number of captures, after making it when it is not cached. */
export async function replayedArchive(captures: number, report: (text: string) => void): Promise<ReplayedArchive> {
  const folder = join(cache, 'replayed', `${version}-${captures}`)
  if (!existsSync(folder)) await make(folder, captures, report)
  const first = join(folder, 'replicas', 'ONE')
  const names = (await readdir(first)).filter((name) => /^page-\d+\.warc\.gz$/.test(name))
  return { folder, files: names.map((name) => join(first, name)) }
}

/** Makes the archive. Its folder appears only when it is complete. */
async function make(folder: string, captures: number, report: (text: string) => void): Promise<void> {
  await mkdir(join(cache, 'replayed'), { recursive: true })
  // An interrupted run must not leave a folder that looks complete.
  const making = await mkdtemp(join(cache, 'replayed-'))
  try {
    report(`making an archive of ${captures} captures, once`)
    const each = Math.ceil(captures / files)
    const written = Array.from({ length: files }, async (_, at) => {
      const path = join(making, `page-${String(at).padStart(2, '0')}.warc.gz`)
      await writeFileOf(path, pages(at * each, Math.min(captures, (at + 1) * each)))
      return path
    })
    const loupe = [...loupeCommand, '--archive', join(making, 'archive')]
    await measured([...loupe, 'init'], { cwd: making, good: [0] })
    await measured([...loupe, 'import', ...(await Promise.all(written))], { cwd: making, good: [0] })
    await rename(join(making, 'archive'), folder)
  } finally {
    await rm(making, { recursive: true })
  }
}

/** The captures with the numbers from `from` up to but excluding `to`. */
function* pages(from: number, to: number) {
  for (let number = from; number < to; number += 1) yield archivedPage(number)
}
