/** Seeds of an import, where viewing can begin: the pages that its packages name, or the first pages found in its files. Until
 *  there are any, the seeds of the job are the paths that it was given. */
import { storedDefinition } from '../../contract/services/definition.ts'
import { parseCdxjLine } from '../../formats/cdx/cdxj.ts'
import { linesOf } from '../../files/disk/lineFile.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { jobStatements, newJobStatements } from '../model/jobs.sql.ts'
import { pageLinesMax, seedsMax } from './limits.ts'

/** The first pages of a file, at most `seedsMax`, from its index lines. */
export async function firstPages(world: World, linesPath: string): Promise<string[]> {
  const pages: string[] = []
  const file = await world.disk.openRead(linesPath)
  try {
    let seen = 0
    for await (const lines of linesOf(file)) {
      for (const line of lines) {
        const capture = parseCdxjLine(line)
        if (capture?.status === 200 && capture.method === undefined && /html/.test(capture.mediaType))
          pages.push(capture.url)
        if (pages.length === seedsMax || ++seen === pageLinesMax) return pages
      }
    }
  } finally {
    await file.close()
  }
  return pages
}

/** Adds pages to the seeds of the job, up to `seedsMax`; called inside the transaction that takes the file in. */
export function offerAsSeeds(
  { store, job, harvest }: { store: Store; job: number; harvest: number },
  pages: readonly string[],
): void {
  const sql = { ...jobStatements(store), ...newJobStatements(store) }
  const stored = sql.definition.get({ job })
  if (!stored) return
  const definition = storedDefinition.parse(JSON.parse(stored.definition))
  const known = definition.seeds.filter((seed) => /^https?:/i.test(seed) && URL.canParse(seed))
  const seeds = [...new Set([...known, ...pages.filter((page) => URL.canParse(page))])].slice(0, seedsMax)
  if (seeds.length > 0) sql.setDefinition.run({ harvest, definition: JSON.stringify({ ...definition, seeds }) })
}
