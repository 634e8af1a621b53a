/** The files of a batch job, and the replica that they are read from, as a request chooses them. */
import { inField } from '../../contract/calls/faults.ts'
import type { BatchRequest } from '../../contract/services/batch.ts'
import { message } from '../../contract/words/message.ts'
import type { World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { nameMatcher } from '../files/matcher.ts'
import type { Archive } from '../store/archive.ts'
import type { BatchStatements } from './batch.sql.ts'
import { namesPageCount, runFilesMax } from './limits.ts'

/** Checks that the replica has files to read. Throws `Fault`: notFound, refused. */
export function checkReplica({ places }: Pick<Archive, 'places'>, replica: string | undefined): void {
  if (replica === undefined) return
  const place = places.find(({ name }) => name === replica)
  const known = places.map(({ name }) => name).join(', ')
  const fields = [['replica']]
  if (!place) throw new ArchiveFault('notFound', message('batch.replica.absent', { replica, known }), { fields })
  if (place.kind === 'checksums')
    throw new ArchiveFault('refused', message('batch.replica.checksums', { replica, known }), { fields })
}

/** Finds the files of a request, in the order of their names. Other work can run between the pages of the catalogue. Throws `Fault`:
 *  refused (too many files), notFound (no name matches), badInput (not a pattern). */
export async function chosenFiles(
  statements: Pick<BatchStatements, 'names'>,
  world: World,
  { files, jobs, kind }: BatchRequest,
): Promise<{ names: string[]; bytesTotal: number }> {
  const matching = inField(['files'], () => nameMatcher(world, files ?? null))
  const fields = [['files']]
  const names: string[] = []
  let bytesTotal = 0
  const wanted = {
    jobs: jobs ? JSON.stringify(jobs) : null,
    kind: kind === 'both' ? null : kind,
    limit: namesPageCount,
  }
  for (let after: string | undefined = ''; after !== undefined; await world.clock.sleep(0)) {
    const page = statements.names.all({ ...wanted, after })
    for (const { name, bytes } of await matching(page)) {
      names.push(name)
      bytesTotal += bytes
    }
    if (names.length > runFilesMax)
      throw new ArchiveFault('refused', message('batch.files.tooMany', { countMax: runFilesMax }), { fields })
    after = page.length < namesPageCount ? undefined : page.at(-1)?.name
  }
  if (names.length === 0 && files !== undefined)
    throw new ArchiveFault('notFound', message('batch.files.none', { pattern: files }), { fields })
  return { names, bytesTotal }
}
