/** Asks for a document that was captured before: only for what has changed. Where the server says that nothing has, what it
 *  did not send again is read from where it was captured, since its links count in every run. */
import type { RunFetching } from './connector.ts'
import type { HttpOutcome } from '../fetch/fetch.ts'
import type { DocumentToFetch } from '../../model/document.ts'
import { conditionsFor } from '../fetch/version.ts'

export async function fetchAgain(
  document: DocumentToFetch,
  { ask, earlierCapture }: Pick<RunFetching, 'ask' | 'earlierCapture'>,
): Promise<HttpOutcome> {
  const { previous, role } = document
  // Rules are read whole each time: they are short, and the whole host depends on them.
  const conditions = previous && role !== 'robots' ? conditionsFor({ ...previous, ...previous.original }) : []
  const first = await ask(document, conditions)
  if (previous === undefined || conditions.length === 0 || first.kind === 'failed' || first.head.status !== 304)
    return first
  const earlier = await earlierCapture(previous.place)
  if (earlier) return { ...first, earlier }
  // Nobody has what it looked like: so the server is asked for the whole.
  await first.response.discard()
  return ask(document)
}
