/** Reads the copies of one file for a repair: every replica's copy completely, and whether the good copy would fit. Each reading is
 *  recorded as an observation. `repairConditions.ts` decides what follows from it. */
import { isStoredCopy } from '../../contract/states/copyStates.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import type { FileRow } from '../copies/archive.sql.ts'
import { observedCopyStatements } from '../copies/observedCopy.sql.ts'
import { observationRecorder } from '../copies/recordObservation.ts'
import type { CopyReading } from '../copies/verdict.ts'
import { isArchiveOrDiskFault, reasonIn } from '../files/archiveFault.ts'
import type { Replica } from '../replica/replica.ts'
import type { Archive } from '../store/archive.ts'
import type { Evidence } from './repairConditions.ts'

export interface CopyReader {
  /** Whether the replica's copy counts as stored in the catalogue. */
  isStored(file: FileRow, replica: Replica): boolean
  /** Reads the copy completely and records the observation. Rejects with the signal's reason when stopped. */
  read(file: FileRow, replica: Replica, who: string, signal: AbortSignal): Promise<CopyReading>
  /** Reads all copies, the target first, so that the values confirmed by the user are checked before the other replicas are read.
   *  `onSeen` receives the evidence so far after each copy. */
  evidenceOn(file: FileRow, target: Replica, options: EvidenceOptions): Promise<Evidence>
}

interface EvidenceOptions {
  who: string
  signal: AbortSignal
  onSeen?: (evidence: Evidence) => void
}

/** Creates the reader of copies. It changes no copy, only what the catalogue knows about it. */
export function copyReader({ archive, store, clock }: { archive: Archive; store: Store; clock: Clock }): CopyReader {
  const copies = observedCopyStatements(store)
  const recordObservation = observationRecorder(store, clock)

  function isStored({ id }: FileRow, { name }: Replica): boolean {
    const copy = copies.copy.get({ file: id, replica: name })
    return copy !== undefined && isStoredCopy(copy)
  }

  async function read(file: FileRow, replica: Replica, who: string, signal: AbortSignal): Promise<CopyReading> {
    const found = await readFrom(file.name, replica, signal)
    recordObservation({ file, replica: replica.name, reading: found, who })
    return found
  }

  async function evidenceOn(
    file: FileRow,
    target: Replica,
    { who, signal, onSeen }: EvidenceOptions,
  ): Promise<Evidence> {
    const left = [target, ...archive.places.filter((place) => place !== target)]
    let evidence: Evidence = {
      name: file.name,
      replica: target.name,
      registered: file.sha256,
      isStored: isStored(file, target),
      copies: [],
      unread: left.map(({ name }) => name),
      noRoom: await noRoom(archive, file, target),
    }
    for (const place of left) {
      const canGive = place.kind === 'files'
      const copy = { replica: place.name, canGive, reading: await read(file, place, who, signal) }
      evidence = { ...evidence, copies: [...evidence.copies, copy], unread: evidence.unread.slice(1) }
      onSeen?.(evidence)
    }
    const inOrder = archive.places.flatMap(({ name }) => evidence.copies.find(({ replica }) => replica === name) ?? [])
    return { ...evidence, copies: inOrder }
  }

  return { isStored, read, evidenceOn }
}

/** Reason why the good copy would not fit; undefined when it does. The bad copy stays on the same disk, so this is checked before
 *  anything is moved. */
async function noRoom(archive: Archive, { bytes }: FileRow, target: Replica): Promise<Message | undefined> {
  if (target.kind === 'checksums') return undefined
  const free = await target.freeBytes()
  const { freeBytesMin, freeBytesToAcceptMin } = archive.limits
  if (free === undefined || (free >= freeBytesToAcceptMin && free - bytes >= freeBytesMin)) return undefined
  return message('repair.noRoom', { replica: target.name, free, bytes, reserve: freeBytesMin })
}

async function readFrom(name: string, replica: Replica, signal: AbortSignal): Promise<CopyReading> {
  const unusable = await replica.problem()
  if (unusable !== undefined) return { kind: 'away', message: unusable }
  try {
    const found = await replica.checksum(name, { signal })
    if (found) return { kind: 'checksum', ...found }
  } catch (error) {
    if (!isArchiveOrDiskFault(error)) throw error
    return unlessAway(replica, { kind: 'unreadable', message: reasonIn(error) })
  }
  return unlessAway(replica, { kind: 'absent' })
}

/** Replaces the result when the replica became unavailable meanwhile: its copies are neither lost nor bad. */
async function unlessAway(replica: Replica, reading: CopyReading): Promise<CopyReading> {
  const unusable = await replica.problem()
  return unusable === undefined ? reading : { kind: 'away', message: unusable }
}
