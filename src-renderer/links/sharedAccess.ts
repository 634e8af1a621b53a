/** Access for windows that the user opens from a link, for example with Ctrl and a click. The browser gives such a window neither the
 *  fragment with the session token nor the storage of the window it came from, so it asks the other windows of the interface. Only pages of
 *  the interface's own origin in the same browser profile can receive the question or answer it. */
import { isHandedOver, type HandedOver } from './token.ts'

export type AccessChannel = Pick<BroadcastChannel, 'postMessage' | 'onmessage'>

export const accessChannelName = 'loupe.access'
const wanted = 'access wanted'

/** Answers every window that asks, as long as this window is open. */
export function shareAccess(channel: AccessChannel, access: HandedOver): void {
  channel.onmessage = ({ data }) => {
    if (data === wanted) channel.postMessage(access)
  }
}

/** Calls back once, when another window answers; never when there is none. */
export function askForAccess(channel: AccessChannel, onAccess: (access: HandedOver) => void): void {
  channel.onmessage = ({ data }) => {
    if (!isHandedOver(data)) return
    channel.onmessage = null
    onAccess(data)
  }
  channel.postMessage(wanted)
}
