/** The connection to a server shell: one POST for each call, and one stream of server-sent events for all events. The stream is read with
 *  fetch, because EventSource cannot send the token in a header and would put it into the address. */
import { createParser } from 'eventsource-parser'
import { Fault, sentFaultIn } from '../../src-main/contract/calls/faults.ts'
import { opened, type Reply } from '../../src-main/contract/calls/service.ts'
import type { Connection, WatchedLink } from './connection.ts'
import { authorizationOf } from './token.ts'
import { translate } from '../words/language.ts'

/** First pause before the stream is opened again. It doubles with each attempt up to the maximum: a restarted engine is found within
 *  seconds, and a stopped one is not asked at full speed for ever. */
const reconnectDelayMsMin = 500
const reconnectDelayMsMax = 10_000

export interface HttpLinkOptions {
  /** `http://127.0.0.1:port`, without a final slash. */
  origin: string
  /** As in `HandedOver`. */
  token: string
  fetch?: typeof fetch
}

/** Opens the stream at once and keeps it until `close`. */
export function httpLink({
  origin,
  token,
  fetch = globalThis.fetch,
}: HttpLinkOptions): WatchedLink & { close(): void } {
  const authorization = authorizationOf(token)
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const watchers = new Set<(connection: Connection) => void>()
  const ended = new AbortController()
  let connection: Connection = 'connecting'

  function become(next: Connection): void {
    if (next === connection || ended.signal.aborted) return
    connection = next
    for (const watcher of watchers) watcher(next)
  }

  async function call(name: string, input: unknown): Promise<unknown> {
    const response = await reach(name, () =>
      fetch(`${origin}/api/call/${name}`, {
        method: 'POST',
        headers: { ...authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ input }),
      }),
    )
    if (response.status === 401) become('refused')
    return opened(replyIn(await response.text(), response.status))
  }

  async function readStream(): Promise<void> {
    const response = await fetch(`${origin}/api/events`, {
      headers: { ...authorization, accept: 'text/event-stream' },
      signal: ended.signal,
    })
    if (response.status === 401 || response.status === 403) return become('refused')
    if (!response.ok || !response.body) throw new Error(`the stream of events answered ${response.status}`)
    become('open')
    const parser = createParser({ onEvent: ({ event = 'message', data }) => deliver(event, JSON.parse(data)) })
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read())
      parser.feed(decoder.decode(piece.value, { stream: true }))
    throw new Error('the stream of events ended')
  }

  /** Delivers an event. A listener that throws is a bug of the interface and must not look like a broken connection. */
  function deliver(event: string, payload: unknown): void {
    for (const listener of listeners.get(event) ?? []) {
      try {
        listener(payload)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  async function keepReading(): Promise<void> {
    let delayMs = reconnectDelayMsMin
    while (connection !== 'refused' && !ended.signal.aborted) {
      try {
        await readStream()
      } catch (error) {
        if (ended.signal.aborted) return
        if (connection === 'open') delayMs = reconnectDelayMsMin
        console.warn('Loupe: the stream of events broke; trying again', error)
        become('lost')
        await pause(delayMs, ended.signal)
        delayMs = Math.min(delayMs * 2, reconnectDelayMsMax)
      }
    }
  }

  void keepReading()
  return {
    call,
    listen: (name, onPayload) => {
      const heard = listeners.get(name) ?? new Set()
      listeners.set(name, heard.add(onPayload))
      return () => heard.delete(onPayload)
    },
    connection: () => connection,
    onConnection: (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    close: () => ended.abort(),
  }
}

/** Sends a request. `name` is the call, for the message of a failure. */
export async function reach(name: string, ask: () => Promise<Response>): Promise<Response> {
  try {
    return await ask()
  } catch (cause) {
    throw new Fault('unreachable', translate('engine.unreachable', { call: name }), { cause })
  }
}

/** Parses the reply in a response. A body that is no reply of Loupe, such as the error page of a proxy, becomes a fault. */
export function replyIn(text: string, status: number): Reply {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { fault: { code: 'unreachable', text: translate('engine.foreignAnswer', { status }) } }
  }
  if (typeof body === 'object' && body !== null) {
    if ('value' in body) return { value: body.value }
    const fault = 'fault' in body ? sentFaultIn(body.fault) : undefined
    if (fault) return { fault }
  }
  return {
    fault: { code: 'internal', text: translate('engine.noValue', { status }) },
  }
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
