/** The link inside Electron: the preload's two functions. It cannot break while the window lives, so it is always open. */
import { opened } from '../../src-main/contract/calls/service.ts'
import type { WatchedLink } from './connection.ts'
import type { LoupeWindow } from './window.ts'

export function ipcLink(loupe: Pick<LoupeWindow, 'call' | 'listen'>): WatchedLink {
  return {
    call: async (name, input) => opened(await loupe.call(name, input)),
    listen: (name, onPayload) => loupe.listen(name, onPayload),
    connection: () => 'open',
    onConnection: () => () => undefined,
  }
}
