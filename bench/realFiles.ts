/** WARC files of real pages: documentation out of Debian's packages (realSite.ts), mirrored once by wget, or by Loupe itself
 *  where there is no wget, and kept in `.cache/benchmark`. The same records twice: in files of some megabytes, and in one. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { measured } from './measure.ts'
import { cache, program, startRealSite, siteSources, type RealSite } from './realSite.ts'

const cli = join(import.meta.dirname, '../src-main/shells/cli/cli.ts')
const sites = ['rust', 'qt', 'django'] as const
/** Packed. Some eight files of it all, so that several cores have something to share. */
const partBytes = 8 * 1024 * 1024

export interface RealFiles {
  /** All records in one file. */
  whole: string
  parts: string[]
  bytes: number
  /** Who wrote them. */
  writer: string
}

export async function realFiles(say: (text: string) => void): Promise<RealFiles> {
  const wget = await program('wget', 'wget')
  const writer = wget === undefined ? 'loupe' : 'wget'
  const folder = join(cache, 'warcs', writer)
  if (!existsSync(folder)) await make(folder, wget, say)
  const names = (await readdir(folder)).sort()
  const parts = names.filter((name) => name !== wholeName).map((name) => join(folder, name))
  const whole = join(folder, wholeName)
  return { whole, parts, bytes: (await stat(whole)).size, writer }
}

const wholeName = 'whole.warc.gz'

async function make(folder: string, wget: string | undefined, say: (text: string) => void): Promise<void> {
  await mkdir(join(cache, 'warcs'), { recursive: true })
  // What is interrupted half-way must not be taken for the whole the next time.
  const making = await mkdtemp(join(cache, 'warcs-'))
  try {
    const finished = join(making, 'finished')
    await mkdir(finished)
    for (const name of sites) {
      const source = siteSources[name]
      if (!source) throw new Error(`there is no site ${name}`)
      say(`making WARC files of ${source.package}, once`)
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
    // Members one behind the other are a file again.
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

async function mirroredBy(wget: string, site: RealSite, folder: string): Promise<string[]> {
  const words = [wget, '--quiet', '--execute=robots=off', '--mirror', '--warc-file=part']
  // 4 and 8: documentation has dead links, as bench/harvest.ts tells.
  await measured([...words, `--warc-max-size=${partBytes}`, ...site.seeds], { cwd: folder, good: [0, 4, 8] })
  return warcsIn(folder)
}

async function harvested(site: RealSite, folder: string): Promise<string[]> {
  const polite = ['--delay-ms', '0', '--connections-per-host', '16', '--workers', '16', '--robots', 'ignore']
  const same = ['--exclude', `^(?!${site.origin.replaceAll('.', '\\.')}/)`]
  const archive = join(folder, 'archive')
  const loupe = [process.execPath, cli, '--archive', archive, '--json']
  await measured([...loupe, 'init'], { cwd: folder, good: [0] })
  await measured([...loupe, 'harvest', ...polite, ...same, ...site.seeds], { cwd: folder, good: [0, 1] })
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
