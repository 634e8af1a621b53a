/** Checks whether the bytes of attic entries are still there and unchanged. */
import { join } from 'node:path'
import type { AtticLook } from '../../contract/services/attic.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import type { Replica } from '../replica/replica.ts'
import type { Archive } from '../store/archive.ts'
import type { AtticRow } from './repair.sql.ts'

/** `read` verifies the bytes; `glance` checks only existence and size. */
export type Thoroughness = 'read' | 'glance'

type Finding = Pick<AtticLook, 'state' | 'text'>

/** Creates the function that checks one entry. */
export function atticLooks({ archive, world }: { archive: Archive; world: World }) {
  const { disk } = world

  async function look(row: AtticRow, how: Thoroughness): Promise<AtticLook> {
    return { id: row.id, ...(await findingOn(row, how)) }
  }

  async function findingOn(row: AtticRow, how: Thoroughness): Promise<Finding> {
    const { id, movedTo, replica } = row
    const place = archive.places.find((each) => each.name === replica)
    if (!place) return { state: 'unknown', text: `Replica ${replica} is no longer in the settings.` }
    if (place.kind === 'checksums')
      return { state: 'none', text: `Entry ${id} is a line of a checksum list in ${place.folder}; it has no bytes.` }
    const unusable = await place.problem()
    if (unusable !== undefined) return { state: 'unknown', text: unusable }
    if (movedTo === null)
      return {
        state: 'unknown',
        text: `It is not known whether entry ${id} was moved to the attic. Repair the copy again.`,
      }
    try {
      const where = join(place.folder, movedTo)
      return row.sha256 === null ? await unreadBytes(where) : await bytesOf(row, place, where, how)
    } catch (error) {
      if (!(error instanceof DiskFault || error instanceof ArchiveFault)) throw error
      return { state: 'unknown', text: error.message }
    }
  }

  /** Entry of a copy that could not be read when it was moved: there is no checksum to compare with. */
  async function unreadBytes(where: string): Promise<Finding> {
    if (!(await disk.isTaken(where))) return gone(where)
    return { state: 'there', text: 'Present. It could not be read when it was moved, so it cannot be verified.' }
  }

  async function bytesOf(row: AtticRow, place: Replica, where: string, how: Thoroughness): Promise<Finding> {
    const entry = await disk.stat(where)
    if (!entry) return gone(where)
    if (entry.bytes !== row.bytes)
      return { state: 'changed', text: `${where} was changed: it has ${entry.bytes} bytes instead of ${row.bytes}.` }
    if (how === 'glance') return { state: 'there', text: 'Present with the right size; not verified.' }
    const found = (await place.kept(row.name)).find((kept) => kept.where === where)
    if (!found) return gone(where)
    if (found.sha256 === null) return { state: 'unknown', text: `${where} is present but cannot be read.` }
    if (found.sha256 === row.sha256) return { state: 'right', text: 'Verified: unchanged since it was moved here.' }
    const text = `${where} was changed: its SHA-256 is ${found.sha256} instead of ${row.sha256}.`
    return { state: 'changed', text }
  }

  return look
}

function gone(where: string): Finding {
  return { state: 'gone', text: `${where} is missing.` }
}
