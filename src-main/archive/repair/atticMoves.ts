/** Moves bad copies to the attic. The entry is written before the copy is moved, so that a crash at any moment leaves either the bad copy
 *  in place or an entry that leads to it. `settle` finds out later which of the two it was. */
import { relative } from 'node:path'
import { isStoredCopy } from '../../contract/states/copyStates.ts'
import { preservationStates } from '../../contract/states/states.ts'
import { message, messageFrom, storedMessage, type Message } from '../../contract/words/message.ts'
import { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import type { AuditLog } from '../audit/audit.ts'
import { openObservations } from '../copies/observations.ts'
import { observedCopyStatements } from '../copies/observedCopy.sql.ts'
import { ArchiveFault, isArchiveOrDiskFault, reasonIn } from '../files/archiveFault.ts'
import { unreadableOnFault } from '../replica/confirmWrong.ts'
import type { Checksum, Kept, Replica, Wrong } from '../replica/replica.ts'
import type { Archive } from '../store/archive.ts'
import type { AtticRow, RepairStatements } from './repair.sql.ts'

export interface AtticParts {
  archive: Archive
  store: Store
  world: World
  auditLog: AuditLog
  statements: RepairStatements
}

/** A bad copy to be moved to the attic. */
export interface Taking {
  file: { id: number; name: string; sha256: string }
  replica: Replica
  /** The bad copy as found; `sha256` is null when it could not be read. */
  found: { sha256: string | null; bytes: number | null }
  who: string
  reason: Message
}

/** `untouched`: the copy was not moved. `unknown`: cannot be determined now; the entry stays open and is checked again. */
export type Taken = { kind: 'kept'; id: number } | { kind: 'untouched' | 'unknown'; reason: Message }

export interface AtticMoves {
  /** Writes an entry and moves the copy. */
  take(taking: Taking): Promise<Taken>
  /** Settles an entry left open by a crash or disk failure: the replica shows whether the bad copy was moved. */
  settle(row: AtticRow): Promise<Taken['kind']>
  /** Entry by its number. Throws `ArchiveFault` notFound when there is none. */
  rowOf(id: number): AtticRow
}

/** Creates the functions that move copies. A caller moves copies of one file one after the other. */
export function atticMoves({ archive, store, world, auditLog, statements }: AtticParts): AtticMoves {
  const noteMoved = moveRecorder({ store, world, auditLog, statements })

  async function take({ file, replica, found, who, reason }: Taking): Promise<Taken> {
    const { sha256, bytes } = found
    const nowMs = world.clock.now()
    const entry = statements.intend.get({
      file: file.id,
      replica: replica.name,
      sha256,
      bytes,
      who,
      reason: storedMessage(reason),
      nowMs,
    })
    if (!entry) throw new Error('adding an entry of the attic gave no row')
    try {
      noteMoved(rowOf(entry.id), replica, await replica.setAside(file.name, wrongOf(sha256)))
      return { kind: 'kept', id: entry.id }
    } catch (error) {
      if (!isArchiveOrDiskFault(error)) throw error
      const settled = await settle(rowOf(entry.id))
      return settled === 'kept' ? { kind: 'kept', id: entry.id } : { kind: settled, reason: reasonIn(error) }
    }
  }

  function rowOf(id: number): AtticRow {
    const row = statements.inAttic.get({ id })
    if (!row) throw new ArchiveFault('notFound', message('attic.absent', { entry: id }))
    return row
  }

  async function settle(row: AtticRow): Promise<Taken['kind']> {
    const replica = archive.places.find(({ name }) => name === row.replica)
    if (!replica || (await replica.problem()) !== undefined) return 'unknown'
    try {
      const current = await currentCopy(row, replica)
      // When the replica became unavailable meanwhile, a failed read says nothing.
      if (current === 'unreadable' && (await replica.problem()) !== undefined) return 'unknown'
      const isThere = current === 'unreadable' || (current !== undefined && current.sha256 === row.sha256)
      const moved = isThere ? undefined : await foundInAttic(row, replica)
      if (moved) {
        noteMoved(row, replica, moved.where)
        return 'kept'
      }
      if (!current) return 'unknown'
      // The current file may be a different one; a copy moved by Loupe would be in the attic.
      statements.forget.run({ id: row.id })
      return 'untouched'
    } catch (error) {
      if (!isArchiveOrDiskFault(error)) throw error
      return 'unknown'
    }
  }

  async function foundInAttic({ name, sha256 }: AtticRow, replica: Replica): Promise<Kept | undefined> {
    // Contradicting lines each have their own checksum.
    const isIt = (kept: Kept) => kept.sha256 === sha256 || (sha256 === null && replica.kind === 'checksums')
    return (await replica.kept(name)).find((kept) => isIt(kept) && hasNoEntry(replica, kept.where))
  }

  /** Whether no entry refers to this location yet. A replica of checksums keeps all wrong lines in one file, so its location proves
   *  nothing. */
  function hasNoEntry(replica: Replica, where: string): boolean {
    const movedTo = relative(replica.folder, where)
    return replica.kind === 'checksums' || statements.isKnown.get({ replica: replica.name, movedTo }) === undefined
  }

  return { take, settle, rowOf }
}

/** Reads the file that now has the name of the entry. A failed read is expected where the copy could not be read before either. */
async function currentCopy({ name, sha256 }: AtticRow, replica: Replica): Promise<Checksum | 'unreadable' | undefined> {
  try {
    return await replica.checksum(name)
  } catch (error) {
    if (sha256 !== null) throw error
    return unreadableOnFault(error)
  }
}

/** Creates the function that records a move in one transaction: the attic entry, the state of the copy and the audit entry. */
function moveRecorder({ store, world, auditLog, statements }: Omit<AtticParts, 'archive'>) {
  const copies = observedCopyStatements(store)
  const moveCopy = mover(store, preservationStates, { table: 'replica_file', column: 'preservation_state' })
  const observations = openObservations(store)

  return (row: AtticRow, replica: Replica, where: string): void => {
    const { id, name, sha256, registered, who, reason } = row
    const nowMs = world.clock.now()
    const file = statements.file.get({ name })
    const copy = file && copies.copy.get({ file: file.id, replica: replica.name })
    store.transaction(() => {
      statements.noteMoved.run({ id, movedTo: relative(replica.folder, where), nowMs })
      if (copy && isStoredCopy(copy)) {
        moveCopy(copy.id, 'lost')
        observations.note(copy.id, { seen: 'missing', sha256: null, bytes: null }, nowMs)
      }
      const was = { replica: replica.name, sha256, seen: sha256 === null ? 'unreadable' : 'checksum' }
      const became = { replica: replica.name, sha256: null, attic: id, where, registered, reason: messageFrom(reason) }
      auditLog.append({ who, what: 'setAside', subject: name, was, became }, nowMs)
    })
  }
}

function wrongOf(sha256: string | null): Wrong {
  return sha256 === null ? 'unreadable' : { sha256 }
}
