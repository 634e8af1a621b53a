/** Restores a copy that was stored and is now missing, and records the resulting checksum. The replica's checksum is read first, and
 *  an existing file is never overwritten. The store machine keeps a completed copy completed, so this is a restore, not a store: from
 *  a good copy (`repair.ts`) or from a file that the user provides (`storing.ts`). */
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { observationRecorder } from '../copies/recordObservation.ts'
import type { Look } from '../copies/verdict.ts'
import type { ChecksumReply, Problem } from './storeMachine.ts'
import { askChecksum, upload, type ReplicaTask } from './upload.ts'

export type RestoreTask = ReplicaTask & { source: string; who: string }

/** Creates the restore function. It resolves with the reason for a failure, or undefined when the copy was written and read back. It
 *  rejects with the signal's reason when stopped. */
export function copyRestorer(store: Store, clock: Clock): (bringing: RestoreTask) => Promise<Problem | undefined> {
  const recordObservation = observationRecorder(store, clock)
  return async ({ who, ...task }) => {
    const { file, replica } = task
    const { blocker, lies } = await brought(task)
    // Record the state of the replica whatever the outcome: the reply may have been lost although the write succeeded.
    recordObservation({ file, replica: replica.name, look: readingOf(lies), who, isBrought: true })
    if (lies.kind === 'found' && lies.sha256 === file.sha256) return undefined
    return blocker ?? notTheFile
  }
}

async function brought(
  task: ReplicaTask & { source: string },
): Promise<{ blocker: Problem | undefined; lies: ChecksumReply }> {
  const { source, ...asking } = task
  const before = await askChecksum(asking)
  if (before.kind === 'failed') return { blocker: before.problem, lies: before }
  if (before.kind === 'found')
    return { blocker: refused(`Another file has this name there (SHA-256 ${before.sha256}).`), lies: before }
  let blocker: Problem | undefined
  let reread: ChecksumReply | undefined
  await upload(
    { ...asking, source },
    {
      uploaded(came) {
        if (came.kind === 'occupied') blocker = refused(came.text)
        if (came.kind === 'refused') blocker = came.problem
      },
      reread(came) {
        reread = came
        if (came.kind === 'failed') blocker = came.problem
      },
    },
  )
  // The replica has already read back what it wrote, so the checksum is not computed again.
  return { blocker, lies: isFound(reread) ? reread : await askChecksum(asking) }
}

export function refused(text: string): Problem {
  return { code: 'refused', text }
}

export const notTheFile = refused('the new copy does not have the registered checksum')

function isFound(reply: ChecksumReply | undefined): reply is ChecksumReply {
  return reply?.kind === 'found'
}

export function readingOf(lies: ChecksumReply): Look {
  if (lies.kind === 'found') return { kind: 'checksum', sha256: lies.sha256, bytes: null }
  return lies.kind === 'empty' ? { kind: 'absent' } : { kind: 'away', text: lies.problem.text }
}
