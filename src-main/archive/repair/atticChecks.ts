/** Checks whether the bytes of attic entries are still there and unchanged. */
import { join } from 'node:path'
import type { AtticCheck } from '../../contract/services/attic.ts'
import { message } from '../../contract/words/message.ts'
import type { World } from '../../world/world.ts'
import { isArchiveOrDiskFault, reasonIn } from '../files/archiveFault.ts'
import { hasPaths, type Replica } from '../replica/replica.ts'
import type { Archive } from '../store/archive.ts'
import type { AtticRow } from './repair.sql.ts'

/** `read` verifies the bytes; `presence` checks only existence and size. */
export type Thoroughness = 'read' | 'presence'

type Finding = Pick<AtticCheck, 'state' | 'message'>

/** Creates the function that checks one entry. */
export function atticChecks({ archive, world }: { archive: Archive; world: World }) {
  const { disk } = world

  async function check(row: AtticRow, how: Thoroughness): Promise<AtticCheck> {
    return { id: row.id, ...(await findingOn(row, how)) }
  }

  async function findingOn(row: AtticRow, how: Thoroughness): Promise<Finding> {
    const { id, movedTo, replica } = row
    const place = archive.places.find((each) => each.name === replica)
    if (!place) return { state: 'unknown', message: message('replica.left', { replica }) }
    if (place.kind === 'checksums')
      return { state: 'none', message: message('attic.none', { entry: id, folder: place.folder }) }
    const unusable = await place.problem()
    if (unusable !== undefined) return { state: 'unknown', message: unusable }
    if (movedTo === null)
      return {
        state: 'unknown',
        message: message('attic.open', { entry: id }),
      }
    try {
      const where = join(place.folder, movedTo)
      const lengthOf = async () => (hasPaths(place) ? await disk.stat(where) : await place.stat(movedTo))?.bytes
      return row.sha256 === null ? await unreadBytes(where) : await bytesOf(row, place, { where, lengthOf }, how)
    } catch (error) {
      if (!isArchiveOrDiskFault(error)) throw error
      return { state: 'unknown', message: reasonIn(error) }
    }
  }

  /** Entry of a copy that could not be read when it was moved: there is no checksum to compare with. */
  async function unreadBytes(where: string): Promise<Finding> {
    if (!(await disk.isTaken(where))) return gone(where)
    return { state: 'there', message: message('attic.unverifiable') }
  }

  async function bytesOf(
    row: AtticRow,
    place: Replica,
    { where, lengthOf }: Entry,
    how: Thoroughness,
  ): Promise<Finding> {
    const found = await lengthOf()
    if (found === undefined || found === null) return gone(where)
    if (found !== row.bytes)
      return { state: 'changed', message: message('attic.length', { path: where, found, bytes: row.bytes ?? 0 }) }
    if (how === 'presence') return { state: 'there', message: message('attic.present') }
    const kept = (await place.kept(row.name)).find((each) => each.where === where)
    if (!kept) return gone(where)
    if (kept.sha256 === null) return { state: 'unknown', message: message('attic.unreadable', { path: where }) }
    if (kept.sha256 === row.sha256) return { state: 'right', message: message('attic.right') }
    const values = { path: where, found: kept.sha256, sha256: row.sha256 ?? '' }
    return { state: 'changed', message: message('attic.changed', values) }
  }

  return check
}

/** Where the bytes of an entry are, and how many. */
interface Entry {
  where: string
  lengthOf(): Promise<number | null | undefined>
}

function gone(where: string): Finding {
  return { state: 'gone', message: message('attic.gone', { path: where }) }
}
