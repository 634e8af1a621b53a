/** An archive in a temporary folder, with the museum harvested into it from the command line: what the rows of the command
 *  line's tests are asked of. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initArchive, loupe } from '../loupeProcess.ts'
import type { NamedSite } from '../sites/server.ts'
import { startTwoHosts } from '../sites/twoHosts.ts'

export interface Harvested {
  /** For other archives too; gone with `close`. */
  folder: string
  archive: string
  site: NamedSite
  /** The content file of job 1. */
  file: string
  /** What the harvest printed. */
  printed: { code: number | null; stdout: string; stderr: string }
  close(): Promise<void>
}

export async function harvestedMuseum(): Promise<Harvested> {
  const site = await startTwoHosts()
  const folder = await mkdtemp(join(tmpdir(), 'loupe-cli-'))
  const archive = await initArchive(join(folder, 'archive'))
  const printed = await loupe('--archive', archive, '--json', ...harvestOf(site))
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

/** The words that harvest this site as fast as it answers. */
export function harvestOf(site: NamedSite, ...more: string[]): string[] {
  const resolve = Object.entries(site.resolve).flatMap(([host, address]) => ['--resolve', `${host}=${address}`])
  return ['harvest', `${site.origin}/`, '--delay-ms', '0', ...resolve, ...more]
}
