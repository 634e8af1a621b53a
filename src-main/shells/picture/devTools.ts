/**
 * The part of the DevTools protocol that a picture of a page needs: one session with one page. Electron uses it on its own view, the server
 * shell over a pipe (`server/devToolsPipe.ts`); no port is opened, which a page could find.
 */

export interface DevTools {
  /** Calls a method. `Result` is the type that the protocol documents. Rejects with the error of the browser. */
  send<Result = unknown>(method: string, parameters?: object): Promise<Result>
}
