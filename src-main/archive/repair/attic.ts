/** The attic: copies taken out of service, with their replica, the reason, the time and the actor. The bytes stay in their replica, on the
 *  same file system. Loupe never removes anything from the attic; the interface shows the path. `atticMoves.ts` moves copies into it,
 *  `atticChecks.ts` checks them. */
import { join } from 'node:path'
import type { AtticEntry, AtticCheck } from '../../contract/services/attic.ts'
import { timeOf } from '../../contract/text/timeOf.ts'
import { message, messageFrom, type Message } from '../../contract/words/message.ts'
import { ArchiveFault, type ArchiveFaultCode } from '../files/archiveFault.ts'
import { atticCountMax } from '../files/limits.ts'
import type { Replica } from '../replica/replica.ts'
import { atticChecks } from './atticChecks.ts'
import { atticMoves, type AtticMoves, type AtticParts } from './atticMoves.ts'
import type { AtticRow } from './repair.sql.ts'
import { withSourceFile } from '../replica/sourceFile.ts'

export interface Attic extends Pick<AtticMoves, 'take' | 'settle'> {
  /** All entries, newest first, at most `atticCountMax`. */
  entries(): AtticEntry[]
  /** Entries of one file, newest first. */
  entriesOf(name: string): AtticEntry[]
  /** Checks one entry by reading its bytes, or all entries by existence and size. */
  check(id: number | undefined): Promise<AtticCheck[]>
  /** Stores an entry's bytes in every replica as a new file under a free name; the entry stays in the attic. Throws `ArchiveFault` when
   *  there is no such entry, its bytes are gone or changed, or the name is taken. */
  restore(order: RestoreOrder, signal: AbortSignal): Promise<Restored>
}

export interface RestoreOrder {
  id: number
  /** Name of the new file; by default derived from the entry's name and number. */
  as?: string | undefined
  who: string
}

export interface Restored {
  id: number
  name: string
  sha256: string
  state: 'stored' | 'failed'
  /** Replicas that did not store the file. */
  problems: { replica: string; problem: Message }[]
}

/** Opens the attic of all replicas of the archive. */
export function openAttic(parts: AtticParts): Attic {
  const { archive, store, world, auditLog, statements } = parts
  const { take, settle, rowOf } = atticMoves(parts)
  const checkEntry = atticChecks({ archive, world })

  function placeOf(replica: string): Replica | undefined {
    return archive.places.find(({ name }) => name === replica)
  }

  function shown(row: AtticRow): AtticEntry {
    const { id, name, replica, sha256, bytes, registered, who, reason, movedTo, restoredAs } = row
    const folder = placeOf(replica)?.folder
    return {
      ...{ id, name, replica, sha256, bytes, registered, who, restoredAs },
      reason: messageFrom(reason),
      at: new Date(row.movedMs ?? row.begunMs).toISOString(),
      state: movedTo === null ? 'open' : 'kept',
      where: movedTo === null || folder === undefined ? null : join(folder, movedTo),
      replaced: timeOf(row.replacedMs),
    }
  }

  /** Where an entry's bytes are, after verifying them; throws `ArchiveFault` when they cannot be verified. */
  async function verifyEntry(row: AtticRow): Promise<{ source: Replica; object: string; sha256: string }> {
    const { state, message: found } = await checkEntry(row, 'read')
    const { movedTo: object, sha256 } = row
    const source = placeOf(row.replica)
    if (state === 'there' && source && object !== null) {
      const path = join(source.folder, object)
      throw new ArchiveFault('refused', message('attic.notRestorable', { entry: row.id, path }))
    }
    if (state !== 'right' || source === undefined || object === null || sha256 === null)
      throw new ArchiveFault(faultOf[state], found)
    return { source, object, sha256 }
  }

  async function restore({ id, as, who }: RestoreOrder, signal: AbortSignal): Promise<Restored> {
    const row = rowOf(id)
    const { source, object, sha256 } = await verifyEntry(row)
    const name = as ?? restoredName(row)
    const way = { name: row.name, object, source, target: source, signal }
    const outcome = await withSourceFile({ archive, world }, way, (path) =>
      archive.store({ path, name, kind: 'content', jobId: null }, { signal }).catch(aboutName),
    )
    const { state } = outcome
    const problems = state === 'stored' ? [] : outcome.problems.map(({ replica, problem }) => ({ replica, problem }))
    store.transaction(() => {
      if (state === 'stored') statements.noteRestored.run({ id, name })
      const was = { attic: id, replica: row.replica, sha256 }
      const became = { name, sha256, state, problems }
      auditLog.append({ who, what: 'restoreFromAttic', subject: row.name, was, became }, world.clock.now())
    })
    return { id, name, sha256, state, problems }
  }

  return {
    take,
    settle,
    entries: () => statements.attic.all({ limit: atticCountMax }).map(shown),
    entriesOf: (name) => statements.atticOf.all({ name, limit: atticCountMax }).map(shown),
    async check(id) {
      const rows = id === undefined ? statements.attic.all({ limit: atticCountMax }) : [rowOf(id)]
      const checks: AtticCheck[] = []
      for (const row of rows) checks.push(await checkEntry(row, id === undefined ? 'presence' : 'read'))
      return checks
    },
    restore,
  }
}

/** Attributes a refusal to the field `as`: the bytes were just verified, so the name is the reason. */
function aboutName(error: unknown): never {
  if (!(error instanceof ArchiveFault) || error.code !== 'refused') throw error
  throw new ArchiveFault(error.code, error.userMessage, { cause: error, fields: [['as']] })
}

/** Fault code for entries whose bytes are not `right`. */
const faultOf: Record<AtticCheck['state'], ArchiveFaultCode> = {
  there: 'refused',
  right: 'refused',
  changed: 'refused',
  gone: 'notFound',
  none: 'refused',
  unknown: 'unreachable',
}

/** Default name of a restored entry. Keeps the file name extensions: `a.warc.gz` becomes `a.attic7.warc.gz`. */
function restoredName({ name, id }: AtticRow): string {
  const [, stem = name, ends = ''] = /^(.+?)((?:\.(?:w?arc|wacz|har|cdxj?|gz))+)$/i.exec(name) ?? []
  return `${stem}.attic${id}${ends}`
}
