/** One request to a destination that the user has named, with a bounded answer. */
import { messageOf } from '../../contract/text/messageOf.ts'
import { message } from '../../contract/words/message.ts'
import { StepFault } from '../model/steps.ts'

/** Bytes of an answer that are read: the answer to a batch names every document in it. */
const answerBytesMax = 16 * 1024 * 1024
/** Characters of an answer in a message. */
const shownCharactersMax = 500

/** Errors of a connection before which nothing has left. */
const notSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

interface RequestOptions {
  headers?: Readonly<Record<string, string>>
  signal: AbortSignal
}

/** An answer of the destination. */
export interface Answer {
  status: number
  text: string
}

/** Sends a body by POST. Rejects with `StepFault` where no answer came: `notSent` or `unknown`. */
export function post(
  url: string,
  body: string,
  { headers, contentType, signal }: RequestOptions & { contentType?: string },
): Promise<Answer> {
  return answered(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': contentType ?? 'application/json' },
    ...{ body, signal },
  })
}

/** Sends a request without a body. Rejects as `post` does. */
export function ask(
  url: string,
  { headers = {}, signal, method = 'GET' }: RequestOptions & { method?: 'GET' | 'HEAD' | 'DELETE' },
): Promise<Answer> {
  return answered(url, { method, headers, signal })
}

async function answered(url: string, request: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, request)
    return { status: response.status, text: await boundedText(response) }
  } catch (error) {
    // fetch puts the fault of the network into the cause.
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    const isNotSent =
      typeof cause === 'object' && cause !== null && 'code' in cause && notSentCodes.has(String(cause.code))
    const problem = messageOf(cause)
    throw isNotSent
      ? new StepFault(message('delivery.http.unreachable', { problem }), { failure: 'notSent', cause: error })
      : new StepFault(message('delivery.http.broken', { problem }), { failure: 'unknown', cause: error })
  }
}

async function boundedText(response: Response): Promise<string> {
  const body = response.body as AsyncIterable<Uint8Array> | null
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > answerBytesMax) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Makes the fault of a request that was answered with an error. 408, 429 and 5xx may be gone with the next attempt; other errors are those
 *  of a document (RFC 9110 section 15.5), except where the destination does not let us in at all. */
export function statusFault({ status, text }: Answer): StepFault {
  const problem = message('delivery.http.status', { status, problem: text.slice(0, shownCharactersMax) })
  const isUniversal = status < 400 || status >= 500 || [401, 403, 404, 405, 407, 408, 429].includes(status)
  return new StepFault(problem, isUniversal ? { failure: 'refused' } : { failure: 'document', isLasting: true })
}

/** Reads an answer as JSON. Throws `StepFault` for another: it is not known what was accepted. */
export function jsonOf({ text }: Answer): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new StepFault(message('delivery.http.answer', { problem: text.slice(0, shownCharactersMax) }), {
      cause: error,
    })
  }
}
