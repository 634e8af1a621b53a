/** The witness of the audit trail: a small file next to the database that names the last entry and its hash. Anyone who cuts off
 *  the end of the trail leaves a chain that is whole, but the file names an entry that is no longer there. It is behind the
 *  trail when Loupe was killed between the two, which says nothing; it is never brought back to an earlier entry. One
 *  engine has an archive, so one writer has the file.
 *
 *  Its limit: anyone who can write both the database and the file can cut both. A report (`report.ts`) names the head too; a printed
 *  one is out of their reach. */
import { basename } from 'node:path'
import type { AuditWitness } from '../../contract/services/archive.ts'
import { DiskFault, type World } from '../../world/world.ts'
import type { AuditTrail, Link } from './audit.ts'
import { auditHeadBytesMax } from '../files/limits.ts'

export interface AuditHeadParts {
  world: World
  trail: AuditTrail
  path: string
  /** Told when the file could not be written: nothing else stops for it. */
  onFault: (fault: DiskFault) => void
}

export interface AuditHead {
  /** Something may have been added to the trail: the file follows soon. */
  note(): void
  /** What the file says of the trail as it is now. */
  witness(): Promise<AuditWitness>
  /** After a recovery from the loss of the database: a file that contradicts the trail names the last entry of the lost one. It is kept
   *  as evidence next to the new one, and the trail says under which name. Rejects with `DiskFault`. */
  setAside(): Promise<void>
  /** Brings the file up to date before it ends. */
  close(): Promise<void>
}

type Found = { link: Link } | { state: 'absent' | 'unreadable' }

/** Brings the file up to date. If the file is missing although the log had one, it is made again, and the log records that. */
export async function openAuditHead({ world, trail, path, onFault }: AuditHeadParts): Promise<AuditHead> {
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
    const head = trail.head()
    if ('state' in seen) return { state: seen.state, number: null }
    const { number, hash } = seen.link
    if (trail.hashOf(number) !== hash) return { state: 'contradicts', number }
    return { state: number === head?.number ? 'agrees' : 'behind', number }
  }

  async function follow(): Promise<void> {
    while (isWanted) {
      isWanted = false
      const head = trail.head()
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

  // A file that contradicts the trail is evidence: it stays as it is until a person has moved it away.
  const { state, number } = await witness()
  if (state === 'agrees' && number !== null) written = number
  let isEvidence = state === 'contradicts' || state === 'unreadable'
  if (state === 'absent' && trail.head())
    trail.append({ who: 'recovery', what: 'auditHeadMade', subject: path }, world.clock.now())
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
      trail.append({ who: 'recovery', what: 'auditHeadMade', subject: path, was }, nowMs)
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
