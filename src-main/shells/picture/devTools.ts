/** As much of the DevTools protocol as a picture of a page needs: one session with one page. Electron speaks it to its own view, the
 *  server shell over a pipe (`server/devToolsPipe.ts`); no port is opened for it, which a page could find. */

export interface DevTools {
  /** `Result`: what the protocol says comes back. Rejects with what the browser has against it. */
  send<Result = unknown>(method: string, parameters?: object): Promise<Result>
}
