/** Asks one replica for its answer to a spot check: the HMAC of a file's current bytes under a salt. */
import { message, type Message } from '../../contract/words/message.ts'
import { isArchiveOrDiskFault, reasonIn } from '../files/archiveFault.ts'
import type { SpotStatements } from './spotChecks.sql.ts'
import type { Answer } from './spotVerdict.ts'

/** The part of a replica that spot checks use. */
export interface SpotReplica {
  readonly name: string
  readonly kind: 'files' | 'checksums'
  problem(): Promise<Message | undefined>
  /** HMAC of the current file under the salt; undefined when there is none. */
  checksum(file: string, options: SpotOptions): Promise<{ sha256: string } | undefined>
}

export interface SpotOptions {
  salt: string
  signal: AbortSignal
  /** Maximum read rate; 0: unlimited. */
  bytesPerSecondMax: number
}

/** Asks the replica. Faults of its disk become answers; rejects with the signal's reason when stopped. */
export async function answerOf(
  { holds }: Pick<SpotStatements, 'holds'>,
  replica: SpotReplica,
  file: { id: number; name: string },
  options: SpotOptions,
): Promise<Answer> {
  const { name } = replica
  if (!holds.get({ file: file.id, replica: name }))
    return { replica: name, kind: 'notAsked', why: message('spot.neverStored') }
  if (replica.kind === 'checksums') return { replica: name, kind: 'notAsked', why: message('spot.onlyChecksums') }
  const unusable = await replica.problem()
  if (unusable !== undefined) return { replica: name, kind: 'away', why: unusable }
  try {
    const computed = await replica.checksum(file.name, options)
    if (computed) return { replica: name, kind: 'answered', hmac: computed.sha256 }
    return await failedUnlessAway(replica, message('spot.fileMissing'))
  } catch (error) {
    if (!isArchiveOrDiskFault(error)) throw error
    return failedUnlessAway(replica, reasonIn(error))
  }
}

/** A replica that became unavailable meanwhile has not lost the file. */
async function failedUnlessAway(replica: SpotReplica, why: Message): Promise<Answer> {
  const unusable = await replica.problem()
  return unusable === undefined
    ? { replica: replica.name, kind: 'failed', why }
    : { replica: replica.name, kind: 'away', why: unusable }
}
