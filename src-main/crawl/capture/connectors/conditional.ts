/** Conditional requests for documents that were captured before. If the server reports a document as unchanged, the earlier
 *  capture is read, since its links count in every run. */
import type { RunFetching } from './connector.ts'
import type { HttpOutcome } from '../fetch/outcome.ts'
import type { DocumentToFetch } from '../../model/document.ts'
import { conditionsFor } from '../fetch/version.ts'

/** Fetches a document, with a conditional request if it was captured before. */
export async function fetchAgain(
  document: DocumentToFetch,
  { ask, earlierCapture }: Pick<RunFetching, 'ask' | 'earlierCapture'>,
): Promise<HttpOutcome> {
  const { role, previous, elsewhere } = document
  const known = previous ?? elsewhere
  // robots.txt is fetched in full each time: it is short, and access to the whole host depends on it.
  const conditions = known && role !== 'robots' ? conditionsFor({ ...known, ...known.original }) : []
  const first = await ask(document, conditions)
  if (known === undefined || conditions.length === 0 || first.kind === 'failed' || first.head.status !== 304)
    return first
  const earlier = await earlierCapture(known.place)
  if (earlier) return { ...first, earlier }
  // No copy of the earlier capture can be read, so the document is requested in full.
  await first.response.discard()
  return ask(document)
}
