/** Carries out the store machine's requests to one replica: writes a file into it, or reads the checksum of the file under its name.
 *  Results are returned as messages to the machine; this module makes no decisions. */
import { message, type Message } from '../../contract/words/message.ts'
import { DiskFault } from '../../world/world.ts'
import { ArchiveFault, faultCodeOf, reasonIn } from '../files/archiveFault.ts'
import type { FileRow } from '../copies/archive.sql.ts'
import type { Added, Replica } from '../replica/replica.ts'
import type { ChecksumReply, Problem, UploadReply } from './storeMachine.ts'

/** Progress of one file in one replica. */
export interface StoreProgress {
  replica: string
  step: 'copying' | 'verifying'
  bytes: number
  bytesTotal: number
}

/** One file to be written to or read from one replica. */
export interface ReplicaTask {
  replica: Replica
  file: FileRow
  signal: AbortSignal
  onProgress: (progress: StoreProgress) => void
}

/** Uploads the file to the replica. `uploaded` is called once; `reread` is called after it when the file was written, because a
 *  replica reads back what it wrote and a second checksum request would be redundant. Rejects with the signal's reason when stopped. */
export async function upload(
  task: ReplicaTask & { source: string },
  { uploaded, reread }: { uploaded: (came: UploadReply) => void; reread: (came: ChecksumReply) => void },
): Promise<void> {
  const { replica, file, source, signal } = task
  let isWritten = false
  const onWritten = () => {
    if (!isWritten) uploaded({ kind: 'written' })
    isWritten = true
  }
  let added: Added
  try {
    const { name, sha256, bytes } = file
    added = await replica.add({ name, source, sha256, bytes }, { signal, onWritten, onProgress: progressOf(task) })
  } catch (error) {
    const problem = problemOf(task, error)
    if (isWritten) reread({ kind: 'failed', problem })
    else uploaded({ kind: 'refused', problem })
    return
  }
  // The file was written, the reply was lost and the write was retried (`retrying`): the existing file is probably this one.
  if (isWritten && (added.kind === 'refused' || added.kind === 'occupied')) return reread(await askChecksum(task))
  if (added.kind === 'refused')
    return uploaded({ kind: 'refused', problem: { code: added.code, message: added.message } })
  if (added.kind === 'occupied') return uploaded({ kind: 'occupied', message: added.message })
  onWritten()
  if (added.kind === 'added') return reread({ kind: 'found', sha256: file.sha256 })
  reread(added.found ? { kind: 'found', sha256: added.found.sha256 } : { kind: 'empty' })
}

/** Reads the checksum under the file's name. Where it matches, the file is synced to the device before this returns: the process that
 *  wrote it may have been killed before syncing it. */
export async function askChecksum(task: ReplicaTask): Promise<ChecksumReply> {
  const { replica, file, signal } = task
  const unusable = await replica.problem()
  if (unusable !== undefined) return unreachable(unusable)
  const report = progressOf(task)
  try {
    const found = await replica.checksum(file.name, { signal, onProgress: (bytes) => report('verifying', bytes) })
    if (found?.sha256 === file.sha256) await replica.secure(file.name)
    if (found) return { kind: 'found', sha256: found.sha256 }
  } catch (error) {
    return { kind: 'failed', problem: problemOf(task, error) }
  }
  // If the replica became unavailable meanwhile, the absence is not certain.
  const unusableNow = await replica.problem()
  return unusableNow === undefined ? { kind: 'empty' } : unreachable(unusableNow)
}

function unreachable(reason: Message): ChecksumReply {
  return { kind: 'failed', problem: { code: 'unreachable', message: reason } }
}

function progressOf({ replica, file, onProgress }: ReplicaTask) {
  return (step: StoreProgress['step'], bytes: number) =>
    onProgress({ replica: replica.name, step, bytes, bytesTotal: file.bytes })
}

function problemOf({ replica, file, source }: ReplicaTask & { source?: string }, error: unknown): Problem {
  if (error instanceof ArchiveFault) return { code: error.code, message: reasonIn(error) }
  if (!(error instanceof DiskFault)) throw error
  const values = { name: file.name, reason: reasonIn(error) }
  const isOfSource = error.path === source
  return {
    code: faultCodeOf[error.code],
    message: isOfSource
      ? message('store.fromSource', values)
      : message('store.inReplica', { ...values, replica: replica.name }),
  }
}
