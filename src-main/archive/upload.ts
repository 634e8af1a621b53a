/** One file into one replica, from whatever state its copy is in to completed or failed. The order of a repeated upload is
 *  that of the seed: it never copies blindly, it looks at what is there first. A copy counts only when its bytes, read
 *  again from the replica, have the registered checksum. Nothing under a file's name is ever overwritten or removed, not
 *  even an empty file: that is for repair, which a person starts.
 *
 *  Every step ends with one transaction, so a kill leaves the state of the last finished step and the same loop goes on. */
import { uploadStates } from '../contract/states.ts'
import { mover } from '../storage/guard.ts'
import type { Store } from '../storage/storage.ts'
import { DiskFault, type World } from '../world/world.ts'
import { faultCodeOf, type ArchiveFaultCode } from './archiveFault.ts'
import type { ArchiveStatements, CopyRow, FileRow, UploadState } from './archive.sql.ts'
import type { CopyOutcome } from './copyFile.thread.ts'
import { copyFile, hashFile } from './hashing.ts'
import type { ArchiveLimits } from './limits.ts'
import type { ReplicaFolder } from './replicaFolder.ts'

export interface UploadProblem {
  replica: string
  problem: string
  code: ArchiveFaultCode
}

export interface StoreProgress {
  replica: string
  step: 'copying' | 'verifying'
  bytes: number
  bytesTotal: number
}

export interface Upload {
  place: ReplicaFolder
  copy: CopyRow
  file: FileRow
  /** Where the bytes come from; undefined when nobody knows any more (after a kill). */
  source: string | undefined
  signal: AbortSignal
  onProgress: (progress: StoreProgress) => void
}

export interface UploaderParts {
  store: Store
  world: World
  statements: ArchiveStatements
  limits: ArchiveLimits
  /** Called in the transaction that completes a copy. */
  onCompleted: (file: FileRow) => void
  /** Called after every change of a copy's state. */
  onChange: () => void
}

type UploadEvent = (typeof uploadStates.moves)[number]['event']
type Turn = { event: UploadEvent } | { fault: { code: ArchiveFaultCode; text: string } }

export function uploader({ store, world, statements, limits, onCompleted, onChange }: UploaderParts) {
  const move = mover(store, uploadStates, { table: 'replica_file', column: 'upload_state' })
  /** Bytes on their way into each replica, which its free space does not show yet. */
  const reserved = new Map<string, number>()

  /** What is done in a state, and the event of its failure; a state without a step is an end. */
  const steps: Partial<
    Record<UploadState, { act: (order: Upload, copies: Copies) => Promise<Turn>; failure: UploadEvent }>
  > = {
    UPLOAD_STARTED: { act: bring, failure: 'refused' },
    DATA_UPLOADED: { act: verify, failure: 'checksumDiffers' },
  }

  /** Undefined when the copy is completed; else why it is not. Rejects with the signal's reason when it was stopped. */
  return async function upload(order: Upload): Promise<UploadProblem | undefined> {
    const copies = { made: 0 }
    let state = move(order.copy.id, 'retried') ?? order.copy.upload
    for (let step = steps[state]; step; step = steps[state]) {
      const turn = await step.act(order, copies).catch((error: unknown) => faultOf(order, error))
      const fault = 'fault' in turn ? turn.fault : undefined
      state = settle(order, 'event' in turn ? turn.event : step.failure, fault?.text ?? null)
      onChange()
      if (fault) return { replica: order.place.name, problem: fault.text, code: fault.code }
    }
    return undefined
  }

  async function bring(order: Upload, copies: Copies): Promise<Turn> {
    const { place, file } = order
    const unusable = await place.problem()
    if (unusable !== undefined) return { fault: { code: 'unreachable', text: unusable } }
    if (await world.disk.stat(place.pathOf(file.name))) return recognise(order)
    if (order.source === undefined)
      return { fault: { code: 'notFound', text: 'the copy was interrupted: store the file again' } }
    const tooLittle = await reserve(order)
    if (tooLittle) return tooLittle
    copies.made += 1
    statements.noteAttempt.run({ id: order.copy.id })
    try {
      const input = { source: order.source, folder: place.folder, name: file.name, sha256: file.sha256 }
      return turnOfCopy(order, await copyFile(world, input, watching(order, 'copying')))
    } finally {
      reserved.set(place.name, (reserved.get(place.name) ?? 0) - file.bytes)
    }
  }

  /** Something lies under the name already: with the registered checksum it is the copy that was to be made. Whoever made
   *  it may have been killed before it was on the disk, so that is seen to first. */
  async function recognise(order: Upload): Promise<Turn> {
    const { sha256 } = await hashOf(order)
    if (sha256 !== order.file.sha256) return occupied(order)
    const file = await world.disk.openWrite(order.place.pathOf(order.file.name), 'append')
    await file.sync().finally(() => file.close())
    await world.disk.syncFolder(order.place.folder)
    return { event: 'copied' }
  }

  async function verify(order: Upload, copies: Copies): Promise<Turn> {
    const unusable = await order.place.problem()
    if (unusable !== undefined) return { fault: { code: 'unreachable', text: unusable } }
    const found = await hashOf(order).catch(undefinedWhenAbsent)
    // The copy is not there, so there is nothing to overwrite: one more try, as the seed allows.
    if (!found && copies.made <= limits.uploadRetries) return { event: 'checksumEmpty' }
    if (!found)
      return refused(`the copy of ${order.file.name} in replica ${order.place.name} was gone after it was made`)
    if (found.sha256 === order.file.sha256) return { event: 'checksumAgrees' }
    return refused(`the copy of ${order.file.name} has the checksum ${found.sha256} instead of ${order.file.sha256}`)
  }

  function hashOf(order: Upload) {
    return hashFile(
      world,
      { path: order.place.pathOf(order.file.name), bytesPerSecondMax: 0 },
      watching(order, 'verifying'),
    )
  }

  /** Sets the file's bytes aside for this copy, or says that there is no space for them. */
  async function reserve({ place, file }: Upload): Promise<Turn | undefined> {
    const freeBytes = await place.freeBytes()
    const takenBytes = reserved.get(place.name) ?? 0
    if (freeBytes !== undefined && freeBytes - takenBytes - file.bytes < limits.freeBytesMin) {
      const text = `no space in replica ${place.name}: ${freeBytes - takenBytes} bytes are free, ${file.bytes} are needed and ${limits.freeBytesMin} must stay free`
      return { fault: { code: 'noSpace', text } }
    }
    reserved.set(place.name, takenBytes + file.bytes)
    return undefined
  }

  function settle({ copy, file }: Upload, event: UploadEvent, problem: string | null): UploadState {
    return store.transaction(() => {
      const state = move(copy.id, event)
      if (state === undefined)
        throw new Error(`the upload of ${file.name} cannot take ${event}: somebody else moved its state`)
      statements.noteProblem.run({ id: copy.id, problem })
      if (event === 'checksumAgrees') onCompleted(file)
      return state
    })
  }
}

interface Copies {
  made: number
}

function watching({ place, file, signal, onProgress }: Upload, step: StoreProgress['step']) {
  const onReport = (bytes: number) => onProgress({ replica: place.name, step, bytes, bytesTotal: file.bytes })
  return { signal, onReport }
}

function turnOfCopy(order: Upload, outcome: CopyOutcome): Turn {
  if (outcome === 'copied') return { event: 'copied' }
  if (outcome === 'occupied') return occupied(order)
  return refused(`${order.file.name} changed while it was being copied: store it again`)
}

function occupied({ place, file }: Upload): Turn {
  return refused(`${place.pathOf(file.name)} exists already with another checksum; it was left as it is`)
}

function refused(text: string): Turn {
  return { fault: { code: 'refused', text } }
}

function faultOf({ place, file, source }: Upload, error: unknown): Turn {
  if (!(error instanceof DiskFault)) throw error
  const where = error.path === source ? 'from its source' : `in replica ${place.name}`
  return { fault: { code: faultCodeOf[error.code], text: `${file.name} ${where}: ${error.message}` } }
}

function undefinedWhenAbsent(error: unknown): undefined {
  if (!(error instanceof DiskFault) || error.code !== 'absent') throw error
  return undefined
}
