/**
 * A client of the contract over HTTP for Node, which the command line uses when another process has the archive open. It makes one request
 * for each call, and one connection for all events, opened with the first listener and reopened when it breaks. src-renderer/links has the
 * same for the browser.
 */
import { request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import type { Shell } from '../../contract/calls/caller.ts'
import { Fault, sentFaultIn } from '../../contract/calls/faults.ts'
import { opened, type Link, type Reply } from '../../contract/calls/service.ts'
import { shellField } from './httpServer.ts'
import { message } from '../../contract/words/message.ts'

/** Delay before reconnecting: short enough for a restart of the engine, and it grows while the engine stays away. */
const reopenMsMin = 200
const reopenMsMax = 5_000
/** Maximum size of a reply. Large enough for a job with all its reports; the engine's answers are paged below
 *  this. */
const replyBytesMax = 64 * 1024 * 1024

/** A link that has to be closed. */
export interface HttpLink extends Link {
  /** Ends the event connection and every open request. */
  close(): void
}

/** Where a server shell answers, and the token that it demands. */
export interface Address {
  origin: string
  token: string
}

/** Makes a link to a server shell. Nothing is requested before the first call or listener. */
export function httpLink({ origin, token }: Address): HttpLink {
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const stop = new AbortController()
  const authorization = `Bearer ${token}`
  let listening: Promise<void> | undefined

  const dispatch = (name: string, data: string) => {
    const payload: unknown = JSON.parse(data)
    for (const listener of listeners.get(name) ?? []) listener(payload)
  }

  /** Resolves when the first connection listens, or could not be made. */
  const keepListening = (): Promise<void> =>
    new Promise((resolve) => {
      const loop = async () => {
        let pauseMs = reopenMsMin
        while (!stop.signal.aborted) {
          const began = await streamEvents(origin, authorization, stop.signal, dispatch, resolve)
          resolve()
          pauseMs = began ? reopenMsMin : Math.min(pauseMs * 2, reopenMsMax)
          // Aborting is how this loop ends; nothing else rejects a timer.
          await sleep(pauseMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined)
        }
      }
      void loop()
    })

  return {
    async call(name, input) {
      // A caller that listens first and calls after it must not miss the events that the call causes.
      await listening
      return opened(await post(`${origin}/api/call/${name}`, authorization, JSON.stringify({ input }), stop.signal))
    },
    listen(name, onPayload) {
      const ofEvent = listeners.get(name) ?? new Set()
      listeners.set(name, ofEvent.add(onPayload))
      listening ??= keepListening()
      return () => void ofEvent.delete(onPayload)
    },
    close: () => stop.abort(),
  }
}

/** Runs one connection until it closes. Resolves with true when it was ever listening. */
function streamEvents(
  origin: string,
  authorization: string,
  signal: AbortSignal,
  onEvent: (name: string, data: string) => void,
  onListening: () => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(`${origin}/api/events`, { headers: { authorization }, signal }, (response) => {
      const began = response.statusCode === 200
      if (began) onListening()
      const parser = createParser({ onEvent: ({ event = 'message', data }) => onEvent(event, data) })
      response.setEncoding('utf8').on('data', (text: string) => {
        if (began) parser.feed(text)
      })
      // 'close' follows both 'error' and 'end'; a broken connection is reopened without any other report.
      response.on('error', () => resolve(began)).on('close', () => resolve(began))
    })
    asked.on('error', () => resolve(false)).end()
  })
}

/** Sends a call. Rejects with `Fault` unreachable when the server does not answer with a reply of the contract. */
function post(url: string, authorization: string, body: string, signal: AbortSignal): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const gone = (cause: unknown) =>
      reject(
        new Fault('unreachable', message('server.unreachable', { origin: new URL(url).origin }), {
          cause,
        }),
      )
    const headers = {
      ...{ authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      [shellField]: 'commandLine' satisfies Shell,
    }
    const asked = request(url, { method: 'POST', headers, signal }, (response) => {
      textOf(response)
        .then((text) => resolve(replyIn(text)))
        .catch(gone)
    })
    asked.on('error', gone).end(body)
  })
}

/** Reads a body of at most `replyBytesMax`. */
async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > replyBytesMax) throw new Error(`the reply is larger than ${replyBytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Parses a reply. Throws for any other text, such as the answer of another program on the port. */
function replyIn(text: string): Reply {
  const reply: unknown = JSON.parse(text)
  if (typeof reply !== 'object' || reply === null) throw new Error('the reply is not an object')
  if (!('fault' in reply)) return { value: 'value' in reply ? reply.value : undefined }
  const fault = sentFaultIn(reply.fault)
  if (!fault) throw new Error('the reply holds no fault')
  return { fault }
}
