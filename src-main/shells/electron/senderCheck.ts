/**
 * Check of the sender of an IPC message. Only the top frame of Loupe's own window, showing the interface, is accepted: a page that was
 * loaded into that window, or a frame in it, must be refused.
 */

/** The interface is served from a scheme of its own, which gives it an origin (storage, CSP) without files or a network. */
export const interfaceScheme = 'loupe'
export const interfaceOrigin = `${interfaceScheme}://interface`

/** The sender of an IPC message. */
export interface Sender {
  /** URL of the sending frame, and whether it is a top frame. Undefined when the frame no longer exists. */
  frame: { url: string; top: boolean } | undefined
  /** Id of the web contents with the frame. */
  webContents: number
}

/** Whether a message may be accepted. `window` is the id of the main window's web contents. */
export function isOurs({ frame, webContents }: Sender, window: number): boolean {
  return frame !== undefined && frame.top && webContents === window && isInterface(frame.url)
}

/** Whether the URL is a page of the interface. */
export function isInterface(url: string): boolean {
  return url === interfaceOrigin || url.startsWith(`${interfaceOrigin}/`)
}
