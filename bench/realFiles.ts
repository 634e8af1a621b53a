/** WARC files of real pages: documentation from Debian's packages (`realSite.ts`), mirrored once by wget, or by Loupe where wget is
 *  not available, and cached in `.cache/benchmark`. They contain the same records twice: in files of some megabytes, and in one file. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { loupeCommand } from './loupeCommand.ts'
import { measured } from './measure.ts'
import { sameHost } from './harvesters.ts'
import { cache, program, startRealSite, siteSources, type RealSite } from './realSite.ts'

/** The sites of `realSite.ts` that are mirrored. */
const sites = ['rust', 'qt', 'django'] as const
/** Compressed size of a part: about eight files in total, so that several cores can share the work. */
const partBytes = 8 * 1024 * 1024

/** Paths of the WARC files, and the size of the file with all records in bytes. */
export interface RealFiles {
  /** Path of the file with all records. */
  whole: string
  parts: string[]
  bytes: number
  /** The program that wrote them. */
  writer: string
}

/** Returns the files, after making them when they are not cached. */
export async function realFiles(report: (text: string) => void): Promise<RealFiles> {
  const wget = await program('wget', 'wget')
  const writer = wget === undefined ? 'loupe' : 'wget'
  const folder = join(cache, 'warcs', writer)
  if (!existsSync(folder)) await make(folder, wget, report)
  const names = (await readdir(folder)).sort()
  const parts = names.filter((name) => name !== wholeName).map((name) => join(folder, name))
  const whole = join(folder, wholeName)
  return { whole, parts, bytes: (await stat(whole)).size, writer }
}

const wholeName = 'whole.warc.gz'

/** Mirrors the sites. The folder appears only when it is complete. */
async function make(folder: string, wget: string | undefined, report: (text: string) => void): Promise<void> {
  await mkdir(join(cache, 'warcs'), { recursive: true })
  // An interrupted run must not leave a folder that looks complete.
  const making = await mkdtemp(join(cache, 'warcs-'))
  try {
    const finished = join(making, 'finished')
    await mkdir(finished)
    for (const name of sites) {
      const source = siteSources[name]
      if (!source) throw new Error(`there is no site ${name}`)
      report(`making WARC files of ${source.package}, once`)
      const site = await startRealSite(source)
      const mirrored = await mkdtemp(join(making, 'site-'))
      try {
        const made = await (wget === undefined ? harvested(site, mirrored) : mirroredBy(wget, site, mirrored))
        for (const path of made) await copyFile(path, join(finished, `${name}-${basename(path)}`))
      } finally {
        await site.stop()
        await rm(mirrored, { recursive: true })
      }
    }
    const parts = (await readdir(finished)).sort()
    // Concatenated gzip members are a valid file.
    for (const name of parts)
      await pipeline(
        createReadStream(join(finished, name)),
        createWriteStream(join(finished, wholeName), { flags: 'a' }),
      )
    await rename(finished, folder)
  } finally {
    await rm(making, { recursive: true })
  }
}

/** Mirrors a site with wget; returns the paths of its WARC files. */
async function mirroredBy(wget: string, site: RealSite, folder: string): Promise<string[]> {
  const words = [wget, '--quiet', '--execute=robots=off', '--mirror', '--warc-file=part']
  // Exit codes 4 and 8 are caused by dead links in the documentation, as in bench/harvest.ts.
  await measured([...words, `--warc-max-size=${partBytes}`, site.seed], { cwd: folder, good: [0, 4, 8] })
  return warcsIn(folder)
}

/** Harvests a site with Loupe; returns the paths of the WARC files in one replica. */
async function harvested(site: RealSite, folder: string): Promise<string[]> {
  const polite = ['--delay-ms', '0', '--connections-per-host', '16', '--workers', '16', ...sameHost]
  const archive = join(folder, 'archive')
  const loupe = [...loupeCommand, '--archive', archive, '--json']
  await measured([...loupe, 'init'], { cwd: folder, good: [0] })
  await measured([...loupe, 'harvest', ...polite, site.seed], { cwd: folder, good: [0, 1] })
  // Every replica holds the same files.
  const [replica = ''] = (await readdir(join(archive, 'replicas'))).sort()
  return warcsIn(join(archive, 'replicas', replica))
}

async function warcsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.warc.gz'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
