/** The connection inside Electron, over the two functions of the preload script. It exists as long as the window does, so it is always
 *  open. */
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
