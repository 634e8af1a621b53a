/** An archive in a temporary folder with a harvest of the museum made from the command line, shared by tests of the command line. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initArchive, loupeHere } from '../loupeProcess.ts'
import type { NamedSite } from '../sites/server.ts'
import { startTwoHosts } from '../sites/twoHosts.ts'

/** The archive, the site, and the output of the harvest. */
export interface Harvested {
  /** The temporary folder, also for other archives; removed by `close`. */
  folder: string
  archive: string
  site: NamedSite
  /** Name of the content file of job 1. */
  file: string
  /** Output and exit code of the harvest. */
  printed: { code: number | null; stdout: string; stderr: string }
  close(): Promise<void>
}

/** Starts the site, creates the archive and harvests into it. */
export async function harvestedMuseum(): Promise<Harvested> {
  const site = await startTwoHosts()
  const folder = await mkdtemp(join(tmpdir(), 'loupe-cli-'))
  const archive = await initArchive(join(folder, 'archive'))
  const printed = await loupeHere('--archive', archive, '--json', ...harvestOf(site))
  const file = (await readdir(join(archive, 'replicas/ONE'))).find((name) => name.endsWith('.warc.gz')) ?? ''
  return {
    folder,
    archive,
    site,
    file,
    printed,
    async close() {
      await site.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The arguments that harvest this site without delays. */
export function harvestOf(site: NamedSite, ...more: string[]): string[] {
  const resolve = Object.entries(site.resolve).flatMap(([host, address]) => ['--resolve', `${host}=${address}`])
  return ['harvest', `${site.origin}/`, '--delay-ms', '0', ...resolve, ...more]
}
