/**
 * Every event of the contract as server-sent events (HTML Living Standard 9.2) to any number of listeners. Events are not stored: a late
 * listener subscribes and reads the state with a call. A listener that does not read is dropped, so that a suspended window cannot fill
 * this process's memory; it connects again when it wakes.
 */
import type { ServerResponse } from 'node:http'
import type { Caller } from '../../contract/calls/caller.ts'
import { eventNamesFor, subscribe, type Contract, type Offered } from '../../contract/calls/service.ts'

/** Maximum number of listeners: one window, a few command lines, a page of metrics. More is a mistake or an
 *  attack. */
const listenersMax = 32
/** Unsent bytes after which a listener is dropped: about ten seconds of a busy harvest, and far more than a
 *  healthy reader leaves unread. */
const backlogBytesMax = 4 * 1024 * 1024
/** Interval of comments that keep the connection open: below the half minute after which some middleboxes and
 *  sleeping laptops drop a silent one. */
const heartbeatMs = 15_000

/** The listeners of one server. */
export interface EventStream {
  /** Adds a listener for the events that the caller may have, until `isOpen` says that its session is over. Returns false when there are too many
   *  already; the response is then unchanged. */
  add(response: ServerResponse, caller: Caller, isOpen: () => boolean): boolean
  close(): void
}

/** Makes the stream, without listeners. */
export function eventStream<C extends Contract>(offered: Omit<Offered<C>, 'onBug'>): EventStream {
  const listeners = new Map<ServerResponse, () => boolean>()
  const send = (listener: ServerResponse, text: string) => {
    if (listener.writableLength > backlogBytesMax) listener.destroy()
    else listener.write(text)
  }
  /** Subscribes a listener to every event that its caller may have. */
  function listen(listener: ServerResponse, caller: Caller): () => void {
    const ends = eventNamesFor(offered, caller).map((name) =>
      subscribe(offered, name, caller, (payload) =>
        // JSON.stringify never emits a raw line break, so one `data:` line always holds the payload.
        send(listener, `event: ${name}\ndata: ${JSON.stringify(payload)}\n\n`),
      ),
    )
    return () => ends.forEach((end) => end())
  }
  const beat = () => {
    for (const [listener, isOpen] of listeners)
      if (isOpen()) send(listener, ': alive\n\n')
      else listener.end()
  }
  const heartbeat = setInterval(beat, heartbeatMs).unref()
  return {
    add(response, caller, isOpen) {
      if (listeners.size >= listenersMax) return false
      listeners.set(response, isOpen)
      const unsubscribe = listen(response, caller)
      response.on('close', () => {
        listeners.delete(response)
        unsubscribe()
      })
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      // The first bytes tell the listener that no later event is missed.
      response.write(': listening\n\n')
      return true
    },
    close() {
      clearInterval(heartbeat)
      for (const listener of listeners.keys()) listener.end()
    },
  }
}
