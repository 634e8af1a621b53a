/** Who sent an IPC message. Only the top frame of our own window, showing our own interface, is listened to: a page that got
 *  itself into that window, or a frame in it, must find a closed door. */

/** The interface is served from a scheme of our own: it has an origin (storage, CSP) and no file or network behind it. */
export const interfaceScheme = 'loupe'
export const interfaceOrigin = `${interfaceScheme}://interface`

export interface Sender {
  /** Undefined when the frame is gone already. */
  frame: { url: string; top: boolean } | undefined
  webContents: number
}

/** `window` is the id of our window's web contents. */
export function isOurs({ frame, webContents }: Sender, window: number): boolean {
  return frame !== undefined && frame.top && webContents === window && isInterface(frame.url)
}

export function isInterface(url: string): boolean {
  return url === interfaceOrigin || url.startsWith(`${interfaceOrigin}/`)
}
