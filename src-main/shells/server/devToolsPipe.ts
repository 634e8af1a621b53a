/**
 * The DevTools protocol over the two pipes of `--remote-debugging-pipe`: JSON messages, each ended by a zero byte. Unlike a port, a pipe
 * cannot be found by other programs on this machine, in particular not by an archived page.
 */
import type { Readable, Writable } from 'node:stream'
import type { DevTools } from '../picture/devTools.ts'
import { textFor } from '../../contract/words/render.ts'

/** Maximum length of a message. The largest is a picture in base64: the longest possible image of a photograph,
 *  with a wide margin. */
const messageCharactersMax = 256 * 1024 * 1024

/** A session with one page, or with the browser as a whole. */
export interface DevToolsPage extends DevTools {
  /** Adds a listener for an event. */
  on<Payload>(method: string, listener: (payload: Payload) => void): void
}

/** The browser as a whole, and its sessions. */
export interface DevToolsBrowser extends DevToolsPage {
  in(sessionId: string): DevToolsPage
  /** Removes the listeners of a session that has ended. */
  forget(sessionId: string): void
}

/** A message of the protocol: a reply has `id`, an event has `method`. */
interface Message {
  id?: number
  sessionId?: string
  method?: string
  params?: unknown
  result?: unknown
  error?: { message: string }
}

interface Waiting {
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

/** The browser refused a call, for example because the page was left meanwhile. */
export class CallRefused extends Error {}

/** The pipe ended before a call was answered. */
export class BrowserEnded extends Error {}

/** The two pipes of a Chromium. */
export interface Pipes {
  toBrowser: Writable
  fromBrowser: Readable
}

/** Opens an empty page of the browser at the other end. Its calls reject when the pipe ends. */
export async function openPage(pipes: Pipes): Promise<DevToolsPage> {
  const browser = devToolsOver(pipes)
  const created = await browser.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' })
  const attached = await browser.send<{ sessionId: string }>('Target.attachToTarget', { ...created, flatten: true })
  return browser.in(attached.sessionId)
}

/** Payload of `Target.attachedToTarget`. */
interface Attached {
  sessionId: string
  targetInfo: { type: string }
}

/** Returns the page that the browser started with. After `leave` no page of the browser is controlled any more. */
export async function firstPage(pipes: Pipes): Promise<DevToolsPage & { leave(): Promise<void> }> {
  const browser = devToolsOver(pipes)
  const attach = (autoAttach: boolean) =>
    browser.send('Target.setAutoAttach', { autoAttach, waitForDebuggerOnStart: false, flatten: true })
  const sessionId = await new Promise<string>((resolve, reject) => {
    browser.on<Attached>('Target.attachedToTarget', (attached) => {
      if (attached.targetInfo.type === 'page') resolve(attached.sessionId)
    })
    attach(true).catch(reject)
  })
  return { ...browser.in(sessionId), leave: async () => void (await attach(false)) }
}

/** Pairs replies with calls on the pipes, and passes events to their listeners. */
export function devToolsOver({ toBrowser, fromBrowser }: Pipes): DevToolsBrowser {
  const waiting = new Map<number, Waiting>()
  /** By session, then by event. */
  const listeners = new Map<string | undefined, Map<string, ((payload: unknown) => void)[]>>()
  let lastId = 0
  let isOpen = true
  const gone = () => new BrowserEnded(textFor('browser.gone'))

  function end(): void {
    isOpen = false
    for (const { reject } of waiting.values()) reject(gone())
    waiting.clear()
  }

  function take({ id, sessionId, method, params, result, error }: Message): void {
    if (id === undefined) {
      for (const listener of listeners.get(sessionId)?.get(method ?? '') ?? []) listener(params)
      return
    }
    const waits = waiting.get(id)
    waiting.delete(id)
    if (error) waits?.reject(new CallRefused(error.message))
    else waits?.resolve(result)
  }

  readMessages(fromBrowser, (text) => take(JSON.parse(text) as Message))
  fromBrowser.on('close', end).on('error', end)
  // The caller is notified through its own call, which ends with the pipe.
  toBrowser.on('error', end)
  /** Returns the session of a page; undefined means the browser as a whole. */
  const of = (sessionId?: string): DevToolsPage => ({
    on(method, listener) {
      const ofSession = listeners.get(sessionId) ?? new Map<string, ((payload: unknown) => void)[]>()
      listeners.set(sessionId, ofSession)
      ofSession.set(method, [...(ofSession.get(method) ?? []), listener as (payload: unknown) => void])
    },
    send: <Result>(method: string, params: object = {}) =>
      new Promise<Result>((resolve, reject) => {
        if (!isOpen) return reject(gone())
        waiting.set(++lastId, { resolve: (result) => resolve(result as Result), reject })
        toBrowser.write(`${JSON.stringify({ id: lastId, method, params, sessionId })}\0`)
      }),
  })
  return { ...of(), in: of, forget: (sessionId) => void listeners.delete(sessionId) }
}

/** Calls `onMessage` with each complete message. Ends the stream when one is too long. */
function readMessages(stream: Readable, onMessage: (text: string) => void): void {
  let pieces: string[] = []
  let characters = 0
  stream.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...others] = text.split('\0')
    pieces.push(first)
    characters += first.length
    if (characters > messageCharactersMax) return void stream.destroy()
    for (const next of others) {
      onMessage(pieces.join(''))
      pieces = [next]
      characters = next.length
    }
  })
}
