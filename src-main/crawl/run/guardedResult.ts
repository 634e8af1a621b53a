/** Makes the result of a turn, so that a bug which one document triggers does not stop its job. */
import { messageOf } from '../../contract/text/messageOf.ts'
import { reasonMessage } from '../../contract/states/outcomes.ts'
import { message } from '../../contract/words/message.ts'
import { StorageFault } from '../../storage/storage.ts'
import { DiskFault } from '../../world/world.ts'
import type { FetchOutcome } from '../capture/fetch/outcome.ts'
import type { Result } from '../settle/result.ts'
import { attemptOf } from './attempts.ts'
import { resultOf, type Subject, type TurnContext } from './turn.ts'

/** As `resultOf`, but an error in it becomes a failure of the document with the reason `internal`, which is logged. Rejects with
 *  `DiskFault` or `StorageFault`, which concern the whole job. */
export async function guardedResult(subject: Subject, outcome: FetchOutcome, context: TurnContext): Promise<Result> {
  try {
    return await resultOf(subject, outcome, context)
  } catch (error) {
    if (error instanceof DiskFault || error instanceof StorageFault) throw error
    const { url, role } = subject.document
    const detail = messageOf(error)
    context.log('error', message('jobLog.bug', { url, reason: reasonMessage('internal'), problem: detail }))
    if (outcome.kind !== 'failed') await outcome.response.discard()
    return {
      ...subject,
      // The other documents of the host wait for its robots.txt and must not wait forever.
      ...(role === 'robots' ? { robots: { state: 'UNREACHABLE', text: 'internal' } } : {}),
      ...{ kind: 'ended', outcome: 'failed', reason: 'internal', detail, durationMs: outcome.durationMs },
      attempts: [attemptOf(subject.document, outcome)],
    }
  }
}
