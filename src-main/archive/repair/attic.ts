/** The attic: copies taken out of service, with their replica, the reason, the time and the actor. An entry is written
 *  before a copy is moved, so that a crash at any moment leaves either the bad copy in place or an entry that leads to it. The bytes
 *  stay in their replica, on the same file system. Loupe never removes anything from the attic; the interface shows the path. */
import { join, relative } from 'node:path'
import type { AtticEntry, AtticLook } from '../../contract/services/archive.ts'
import { preservationStates } from '../../contract/states/states.ts'
import { mover } from '../../storage/guard.ts'
import type { Store } from '../../storage/storage.ts'
import { DiskFault, type World } from '../../world/world.ts'
import type { Archive } from '../store/archive.ts'
import { ArchiveFault, type ArchiveFaultCode } from '../files/archiveFault.ts'
import type { AuditTrail } from '../audit/audit.ts'
import { atticCountMax } from '../files/limits.ts'
import { unreadableOnFault } from '../replica/folderReplica.ts'
import type { Kept, Replica, Wrong } from '../replica/replica.ts'
import { observedCopyStatements } from '../copies/observedCopy.sql.ts'
import type { AtticRow, RepairStatements } from './repair.sql.ts'
import { openObservations } from '../copies/observations.ts'
import { timeOf } from '../../contract/text/timeOf.ts'

export interface AtticParts {
  archive: Archive
  store: Store
  world: World
  trail: AuditTrail
  statements: RepairStatements
}

/** A bad copy to be moved to the attic. */
export interface Taking {
  file: { id: number; name: string; sha256: string }
  replica: Replica
  /** The bad copy as found; `sha256` is null when it could not be read. */
  found: { sha256: string | null; bytes: number | null }
  who: string
  reason: string
}

/** `untouched`: the copy was not moved. `unknown`: cannot be determined now; the entry stays open and is checked again. */
export type Taken = { kind: 'kept'; id: number } | { kind: 'untouched' | 'unknown'; text: string }

export function openAttic({ archive, store, world, trail, statements }: AtticParts) {
  const copies = observedCopyStatements(store)
  const moveCopy = mover(store, preservationStates, { table: 'replica_file', column: 'preservation_state' })
  const observations = openObservations(store)

  async function take({ file, replica, found, who, reason }: Taking): Promise<Taken> {
    const { sha256, bytes } = found
    const nowMs = world.clock.now()
    const entry = statements.intend.get({ file: file.id, replica: replica.name, sha256, bytes, who, reason, nowMs })
    if (!entry) throw new Error('adding an entry of the attic gave no row')
    try {
      noteMoved(rowOf(entry.id), replica, await replica.setAside(file.name, wrongOf(sha256)))
      return { kind: 'kept', id: entry.id }
    } catch (error) {
      if (!(error instanceof DiskFault || error instanceof ArchiveFault)) throw error
      const settled = await settle(rowOf(entry.id))
      return settled === 'kept' ? { kind: 'kept', id: entry.id } : { kind: settled, text: error.message }
    }
  }

  function rowOf(id: number): AtticRow {
    const row = statements.inAttic.get({ id })
    if (!row) throw new ArchiveFault('notFound', `There is no entry ${id} in the attic.`)
    return row
  }

  /** Records the move in one transaction: the attic entry, the state of the copy and the audit entry. */
  function noteMoved(row: AtticRow, replica: Replica, where: string): void {
    const { id, name, sha256, registered, who, reason } = row
    const nowMs = world.clock.now()
    const file = statements.file.get({ name })
    const copy = file && copies.copy.get({ file: file.id, replica: replica.name })
    store.transaction(() => {
      statements.noteMoved.run({ id, movedTo: relative(replica.folder, where), nowMs })
      if (copy?.upload === 'UPLOAD_COMPLETED') {
        moveCopy(copy.id, 'lost')
        observations.note(copy.id, { seen: 'missing', sha256: null, bytes: null }, nowMs)
      }
      const was = { replica: replica.name, sha256, seen: sha256 === null ? 'unreadable' : 'checksum' }
      const became = { replica: replica.name, sha256: null, attic: id, where, registered, reason }
      trail.append({ who, what: 'setAside', subject: name, was, became }, nowMs)
    })
  }

  /** Settles an entry left open by a crash or disk failure: the replica shows whether the bad copy was moved. */
  async function settle(row: AtticRow): Promise<'kept' | 'untouched' | 'unknown'> {
    const replica = archive.places.find(({ name }) => name === row.replica)
    if (!replica || (await replica.problem()) !== undefined) return 'unknown'
    try {
      const lies = await replica.checksum(row.name).catch((error: unknown) => {
        if (row.sha256 === null) return unreadableOnFault(error)
        throw error
      })
      // When the replica became unavailable meanwhile, a failed read says nothing.
      if (lies === 'unreadable' && (await replica.problem()) !== undefined) return 'unknown'
      const isThere = lies === 'unreadable' || (lies !== undefined && lies.sha256 === row.sha256)
      const found = isThere ? undefined : await foundInAttic(row, replica)
      // The current file may be a different one; a copy moved by Loupe would be in the attic.
      if (lies && !found) {
        statements.forget.run({ id: row.id })
        return 'untouched'
      }
      if (!found) return 'unknown'
      noteMoved(row, replica, found.where)
      return 'kept'
    } catch (error) {
      if (!(error instanceof DiskFault || error instanceof ArchiveFault)) throw error
      return 'unknown'
    }
  }

  async function foundInAttic({ name, sha256 }: AtticRow, replica: Replica) {
    // Contradicting lines each have their own checksum.
    const isIt = (kept: Kept) => kept.sha256 === sha256 || (sha256 === null && replica.kind === 'checksums')
    return (await replica.kept(name)).find((kept) => isIt(kept) && isNews(replica, kept.where))
  }

  /** Whether no entry refers to this location yet. A replica of checksums keeps all wrong lines in one file, so the location says
   *  nothing there. */
  function isNews(replica: Replica, where: string): boolean {
    const movedTo = relative(replica.folder, where)
    return replica.kind === 'checksums' || statements.isKnown.get({ replica: replica.name, movedTo }) === undefined
  }

  function shown(row: AtticRow): AtticEntry {
    const { id, name, replica, sha256, bytes, registered, who, reason, movedTo, restoredAs } = row
    const place = archive.places.find((each) => each.name === replica)
    return {
      id,
      name,
      replica,
      sha256,
      bytes,
      registered,
      who,
      reason,
      at: new Date(row.movedMs ?? row.begunMs).toISOString(),
      state: movedTo === null ? 'open' : 'kept',
      where: movedTo === null || !place ? null : join(place.folder, movedTo),
      brought: timeOf(row.replacedMs),
      restoredAs,
    }
  }

  /** Checks one entry. `read` verifies its bytes; `glance` checks only existence and size. */
  async function lookAt(row: AtticRow, how: 'read' | 'glance'): Promise<AtticLook> {
    const { id, movedTo, replica, name, bytes } = row
    const say = (state: AtticLook['state'], text: string) => ({ id, state, text })
    const place = archive.places.find((each) => each.name === replica)
    if (!place) return say('unknown', `Replica ${replica} is no longer in the settings.`)
    if (place.kind === 'checksums')
      return say('none', `Entry ${id} is a line of a checksum list in ${place.folder}; it has no bytes.`)
    const unusable = await place.problem()
    if (unusable !== undefined) return say('unknown', unusable)
    if (movedTo === null)
      return say('unknown', `It is not known whether entry ${id} was moved to the attic. Repair the copy again.`)
    const where = join(place.folder, movedTo)
    try {
      if (row.sha256 === null) {
        if (!(await world.disk.isTaken(where))) return say('gone', `${where} is missing.`)
        return say('there', 'Present. It could not be read when it was moved, so it cannot be verified.')
      }
      const entry = await world.disk.stat(where)
      if (!entry) return say('gone', `${where} is missing.`)
      if (entry.bytes !== bytes)
        return say('changed', `${where} was changed: it has ${entry.bytes} bytes instead of ${bytes}.`)
      if (how === 'glance') return say('there', 'Present with the right size; not verified.')
      const found = (await place.kept(name)).find((each) => each.where === where)
      if (!found) return say('gone', `${where} is missing.`)
      if (found.sha256 === null) return say('unknown', `${where} is present but cannot be read.`)
      if (found.sha256 === row.sha256) return say('right', 'Verified: unchanged since it was moved here.')
      return say('changed', `${where} was changed: its SHA-256 is ${found.sha256} instead of ${row.sha256}.`)
    } catch (error) {
      if (!(error instanceof DiskFault || error instanceof ArchiveFault)) throw error
      return say('unknown', error.message)
    }
  }

  /** Path of an entry's bytes after verifying them; throws `ArchiveFault` when they cannot be verified. */
  async function verified(row: AtticRow): Promise<{ path: string; sha256: string }> {
    const { state, text } = await lookAt(row, 'read')
    const place = archive.places.find(({ name }) => name === row.replica)
    const { movedTo, sha256 } = row
    if (state === 'there' && place && movedTo !== null)
      throw new ArchiveFault(
        'refused',
        `Entry ${row.id} cannot be restored: it could not be read when it was moved, so its content cannot be verified. Copy what can be read from ${join(place.folder, movedTo)}, inspect it, and store it as a new file ("loupe upload").`,
      )
    if (state !== 'right' || !place || movedTo === null || sha256 === null) throw new ArchiveFault(faultOf[state], text)
    return { path: join(place.folder, movedTo), sha256 }
  }

  return {
    take,
    settle,
    entries: (): AtticEntry[] => statements.attic.all({ limit: atticCountMax }).map(shown),
    /** Entries of one file. */
    entriesOf: (name: string): AtticEntry[] => statements.atticOf.all({ name, limit: atticCountMax }).map(shown),
    /** Checks one entry by reading its bytes, or all entries by existence and size. */
    async look(id: number | undefined): Promise<AtticLook[]> {
      const rows = id === undefined ? statements.attic.all({ limit: atticCountMax }) : [rowOf(id)]
      const looks: AtticLook[] = []
      for (const row of rows) looks.push(await lookAt(row, id === undefined ? 'glance' : 'read'))
      return looks
    },
    /** Stores an entry's bytes in every replica as a new file under a free name; the entry stays in the attic. Throws `ArchiveFault`
     *  when there is no such entry, its bytes are gone or changed, or the name is taken. */
    async restore({ id, as, who }: { id: number; as?: string | undefined; who: string }, signal: AbortSignal) {
      const row = rowOf(id)
      const { path, sha256 } = await verified(row)
      const name = as ?? restoredName(row)
      const outcome = await archive.store({ path, name, kind: 'content', jobId: null }, { signal }).catch(aboutName)
      const problems =
        outcome.state === 'stored' ? [] : outcome.problems.map(({ replica, problem }) => ({ replica, problem }))
      store.transaction(() => {
        if (outcome.state === 'stored') statements.noteRestored.run({ id, name })
        const was = { attic: id, replica: row.replica, sha256 }
        const became = { name, sha256, state: outcome.state, problems }
        trail.append({ who, what: 'restoreFromAttic', subject: row.name, was, became }, world.clock.now())
      })
      return { id, name, sha256, state: outcome.state, problems }
    },
  }
}

/** Attributes a refusal to the field `as`: the bytes were just verified, so the name is the reason. */
function aboutName(error: unknown): never {
  if (!(error instanceof ArchiveFault) || error.code !== 'refused') throw error
  throw new ArchiveFault(error.code, error.message, { cause: error, fields: [['as']] })
}

function wrongOf(sha256: string | null): Wrong {
  return sha256 === null ? 'unreadable' : { sha256 }
}

/** Fault code for entries whose bytes are not `right`. */
const faultOf: Record<AtticLook['state'], ArchiveFaultCode> = {
  there: 'refused',
  right: 'refused',
  changed: 'refused',
  gone: 'notFound',
  none: 'refused',
  unknown: 'unreachable',
}

export type Attic = ReturnType<typeof openAttic>

/** Default name of a restored entry. Keeps the file name extensions: `a.warc.gz` becomes `a.attic7.warc.gz`. */
function restoredName({ name, id }: AtticRow): string {
  const [, stem = name, ends = ''] = /^(.+?)((?:\.(?:w?arc|wacz|har|cdxj?|gz))+)$/i.exec(name) ?? []
  return `${stem}.attic${id}${ends}`
}
