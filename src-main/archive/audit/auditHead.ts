/** The witness of the audit log: a small file next to the database with the number and hash of the last entry. If entries are cut
 *  off at the end, the chain is intact but the file names an entry that is missing. After a crash between the two writes the file may
 *  lag behind the log, which is harmless; it is never set back to an earlier entry. An archive has one engine, so the file has one
 *  writer.
 *
 *  Limit: with write access to both the database and the file, both can be cut. A report (`report.ts`) contains the head too, and a
 *  printed report cannot be changed. */
import { basename } from 'node:path'
import type { AuditWitness } from '../../contract/services/audit.ts'
import { DiskFault, type World } from '../../world/world.ts'
import type { AuditLog, Link } from './audit.ts'
import { auditHeadBytesMax } from '../files/limits.ts'

export interface AuditHeadParts {
  world: World
  auditLog: AuditLog
  path: string
  /** Called when the file could not be written; all other work continues. */
  onFault: (fault: DiskFault) => void
}

export interface AuditHead {
  /** Schedules an update of the file after entries may have been added. */
  note(): void
  /** Compares the file with the current auditLog. */
  witness(): Promise<AuditWitness>
  /** Renames a file that contradicts the log, after a recovery from the loss of the database: it names the last entry of the lost
   *  one. It is kept as evidence next to the new file, and the log records its new name. Rejects with `DiskFault`. */
  setAside(): Promise<void>
  /** Updates the file before closing. */
  close(): Promise<void>
}

type Found = { link: Link } | { state: 'absent' | 'unreadable' }

/** Opens the witness and updates the file. If the file is missing although the log has entries, it is created again, and the log
 *  records that. */
export async function openAuditHead({ world, auditLog, path, onFault }: AuditHeadParts): Promise<AuditHead> {
  let written: number | undefined
  let following: Promise<void> | undefined
  let isWanted = false

  async function found(): Promise<Found> {
    try {
      const text = new TextDecoder().decode(await world.disk.read(path, auditHeadBytesMax))
      const match = /^entry ([1-9]\d{0,14}) has the hash ([0-9a-f]{64})\n$/.exec(text)
      return match?.[1] !== undefined && match[2] !== undefined
        ? { link: { number: Number(match[1]), hash: match[2] } }
        : { state: 'unreadable' }
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
      return { state: error.code === 'absent' ? 'absent' : 'unreadable' }
    }
  }

  async function witness(): Promise<AuditWitness> {
    const seen = await found()
    const head = auditLog.head()
    if ('state' in seen) return { state: seen.state, number: null }
    const { number, hash } = seen.link
    if (auditLog.hashOf(number) !== hash) return { state: 'contradicts', number }
    return { state: number === head?.number ? 'agrees' : 'behind', number }
  }

  async function follow(): Promise<void> {
    while (isWanted) {
      isWanted = false
      const head = auditLog.head()
      if (!head || head.number === written) continue
      await world.disk.write(path, Buffer.from(`entry ${head.number} has the hash ${head.hash}\n`))
      written = head.number
    }
  }

  function note(): void {
    isWanted = true
    following ??= follow()
      .catch((error: unknown) => {
        if (!(error instanceof DiskFault)) throw error
        onFault(error)
      })
      .finally(() => (following = undefined))
  }

  // A file that contradicts the log is evidence and stays unchanged until the user has moved it.
  const { state, number } = await witness()
  if (state === 'agrees' && number !== null) written = number
  let isEvidence = state === 'contradicts' || state === 'unreadable'
  if (state === 'absent' && auditLog.head())
    auditLog.append({ who: 'recovery', what: 'auditHeadMade', subject: path }, world.clock.now())
  if (!isEvidence) note()
  await following

  return {
    note: () => (isEvidence ? undefined : note()),
    async witness() {
      await following
      return witness()
    },
    async setAside() {
      await following
      const { state, number } = await witness()
      if (state !== 'contradicts') return
      const nowMs = world.clock.now()
      const movedTo = `${path}.before-recovery-${new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')}`
      await world.disk.rename(path, movedTo)
      const was = { movedTo: basename(movedTo), lastEntry: number }
      auditLog.append({ who: 'recovery', what: 'auditHeadMade', subject: path, was }, nowMs)
      isEvidence = false
      note()
      await following
    },
    async close() {
      if (!isEvidence) note()
      await following
    },
  }
}
