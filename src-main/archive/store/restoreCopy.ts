/** Restores a copy that was stored and is now missing, and records the resulting checksum. The replica's checksum is read first, and
 *  an existing file is never overwritten. The store machine keeps a completed copy completed, so this is a restore, not a store: from
 *  a good copy (`repair.ts`) or from a file that the user provides (`storing.ts`). */
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { observationRecorder } from '../copies/recordObservation.ts'
import type { CopyReading } from '../copies/verdict.ts'
import type { ChecksumReply, Problem } from './storeMachine.ts'
import { askChecksum, upload, type ReplicaTask } from './upload.ts'

export type RestoreTask = ReplicaTask & { source: string; who: string }

/** Creates the restore function. It resolves with the reason for a failure, or undefined when the copy was written and read back. It
 *  rejects with the signal's reason when stopped. */
export function copyRestorer(store: Store, clock: Clock): (task: RestoreTask) => Promise<Problem | undefined> {
  const recordObservation = observationRecorder(store, clock)
  return async ({ who, ...task }) => {
    const { file, replica } = task
    const { blocker, reply } = await written(task)
    // Record the state of the replica whatever the outcome: the reply may have been lost although the write succeeded.
    recordObservation({ file, replica: replica.name, reading: readingOf(reply), who, isRestored: true })
    if (reply.kind === 'found' && reply.sha256 === file.sha256) return undefined
    return blocker ?? notTheFile
  }
}

/** Writes the copy unless a file has its name. `reply`: the checksum that the replica has under the name afterwards. */
async function written(
  task: ReplicaTask & { source: string },
): Promise<{ blocker: Problem | undefined; reply: ChecksumReply }> {
  const { source, ...asking } = task
  const before = await askChecksum(asking)
  if (before.kind === 'failed') return { blocker: before.problem, reply: before }
  if (before.kind === 'found')
    return {
      blocker: refused(message('store.nameTaken', { found: before.sha256, expected: task.file.sha256 })),
      reply: before,
    }
  let blocker: Problem | undefined
  let reread: ChecksumReply | undefined
  await upload(
    { ...asking, source },
    {
      uploaded(came) {
        if (came.kind === 'occupied') blocker = refused(came.message)
        if (came.kind === 'refused') blocker = came.problem
      },
      reread(came) {
        reread = came
        if (came.kind === 'failed') blocker = came.problem
      },
    },
  )
  // The replica has already read back what it wrote, so the checksum is not computed again.
  return { blocker, reply: isFound(reread) ? reread : await askChecksum(asking) }
}

/** A failed step with the fault code `refused`. */
export function refused(reason: Message): Problem {
  return { code: 'refused', message: reason }
}

/** The replica has no file with the registered checksum after the write. */
export const notTheFile = refused(message('store.notRegistered'))

function isFound(reply: ChecksumReply | undefined): reply is ChecksumReply {
  return reply?.kind === 'found'
}

/** A reply of the replica as the result of reading its copy. */
export function readingOf(reply: ChecksumReply): CopyReading {
  if (reply.kind === 'found') return { kind: 'checksum', sha256: reply.sha256, bytes: null }
  return reply.kind === 'empty' ? { kind: 'absent' } : { kind: 'away', message: reply.problem.message }
}
