/** Asks one replica for its answer to a spot check: the HMAC of a file's current bytes under a salt. */
import { DiskFault } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import type { SpotStatements } from './spotChecks.sql.ts'
import type { Answer } from './spotVerdict.ts'

/** The part of a replica that spot checks use. */
export interface SpotReplica {
  readonly name: string
  readonly kind: 'files' | 'checksums'
  problem(): Promise<string | undefined>
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
    return { replica: name, kind: 'notAsked', why: 'it never got the file' }
  if (replica.kind === 'checksums')
    return { replica: name, kind: 'notAsked', why: 'it holds checksums only, and cannot answer' }
  const unusable = await replica.problem()
  if (unusable !== undefined) return { replica: name, kind: 'away', why: unusable }
  try {
    const computed = await replica.checksum(file.name, options)
    if (computed) return { replica: name, kind: 'answered', hmac: computed.sha256 }
    return await failedUnlessAway(replica, 'the file is not there')
  } catch (error) {
    if (!(error instanceof DiskFault) && !(error instanceof ArchiveFault)) throw error
    return failedUnlessAway(replica, error.message)
  }
}

/** A replica that became unavailable meanwhile has not lost the file. */
async function failedUnlessAway(replica: SpotReplica, why: string): Promise<Answer> {
  const unusable = await replica.problem()
  return unusable === undefined
    ? { replica: replica.name, kind: 'failed', why }
    : { replica: replica.name, kind: 'away', why: unusable }
}
