/** The last requests with their fields and content, so that their answers can be explained as they were given. Limited like the
 *  answers, and by the bytes of the content. */
import type { IncomingHttpHeaders } from 'node:http'
import { answersMax, sentKeptBytesMax } from '../model/limits.ts'
import type { Question } from './question.ts'

/** A request that was answered. */
export interface LastRequest {
  method: string
  url: string
  fields: IncomingHttpHeaders
  /** User name of the viewing. */
  viewing: string
  /** The request content. Undefined if it was too large, or has been dropped since. */
  content: Uint8Array | undefined
}

/** Requests by the number of their answer. */
export interface LastRequests {
  /** Remembers a request under the number of its answer. */
  note(id: number, question: Question): void
  /** The request of an answer, or the last one with this method and URL in the shared viewing. */
  of(wanted: { answer?: number | undefined; method: string; url: string }): LastRequest | undefined
}

/** Methods whose content is not part of the lookup. */
const bare = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a request with this method is looked up by its URL alone. */
export function isBare(method: string): boolean {
  return bare.has(method.toUpperCase())
}

/** Makes an empty list, limited by `answersMax` and `sentKeptBytesMax`. */
export function openLastRequests(): LastRequests {
  const kept = new Map<number, LastRequest>()
  /** Requests with content, oldest first. */
  const sending = new Set<LastRequest>()
  let sentBytes = 0

  function keepContent(request: LastRequest, content: Uint8Array | undefined): void {
    if (content === undefined || content.length > sentKeptBytesMax) return
    request.content = content
    sending.add(request)
    sentBytes += content.length
    for (const oldest of sending) {
      if (sentBytes <= sentKeptBytesMax) break
      dropContent(oldest)
    }
  }
  /** Forgets the content of a request. */
  function dropContent(request: LastRequest): void {
    if (!sending.delete(request)) return
    sentBytes -= request.content?.length ?? 0
    request.content = undefined
  }

  return {
    note(id, { method, url, fields, viewing, content }) {
      const isAlone = isBare(method)
      const request: LastRequest = {
        ...{ method, url, fields, viewing: viewing.user },
        content: isAlone ? new Uint8Array(0) : undefined,
      }
      kept.set(id, request)
      const [oldest] = kept.size > answersMax ? kept : []
      if (oldest !== undefined) {
        kept.delete(oldest[0])
        dropContent(oldest[1])
      }
      // If the browser disconnected, there is no content to look up.
      const keep = (sent: Uint8Array | undefined) => kept.get(id) === request && keepContent(request, sent)
      if (!isAlone) content().then(keep, () => undefined)
    },
    of({ answer, method, url }) {
      const known = answer === undefined ? undefined : kept.get(answer)
      if (known || answer !== undefined) return known
      return [...kept.values()].findLast(
        (request) => request.viewing === '' && request.method === method && request.url === url,
      )
    },
  }
}
