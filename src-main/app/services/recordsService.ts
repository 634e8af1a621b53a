/** Service `records` of the contract: records in the files of the archive, read from the first good copy. */
import type { Archive } from '../../archive/store/archive.ts'
import type { ArchivedFile } from '../../contract/services/archivedFiles.ts'
import type { Loupe } from '../../contract/contract.ts'
import { isStoredCopy } from '../../contract/states/copyStates.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { recordLists } from '../../files/records/recordLists.ts'
import type { World } from '../../world/world.ts'
import { message } from '../../contract/words/message.ts'

/** Makes the service. `type` of a list is a record type in any case, such as `response`. */
export function recordsService({ archive, world }: { archive: Archive; world: World }): Loupe['records'] {
  const lists = recordLists(world)
  return {
    async list({ file, after = 0, limit = 100, type }) {
      const { path } = await copyOf(archive, file)
      return lists.page({ file, path }, { after, limit, type: type?.toLowerCase() })
    },
    async show({ file, offset, number }) {
      const { path, known } = await copyOf(archive, file)
      const record = await lists.whole({ file, path }, { offset, number })
      const replicas = known.replicas.filter(isStoredCopy)
      return { ...record, job: known.job, replicas: replicas.map(({ replica }) => replica) }
    },
  }
}

/** Returns the first good copy of a file. Throws `Fault`: notFound, or unreachable where no replica has a good
 *  copy. */
async function copyOf(archive: Archive, file: string): Promise<{ path: string; known: ArchivedFile }> {
  const known = archive.file(file)
  if (!known) throw new Fault('notFound', message('file.absent', { name: file }))
  const copy = await archive.pathOfFile(file)
  if (!copy) throw new Fault('unreachable', message('file.noGoodCopy', { name: file }))
  return { path: copy.path, known }
}
