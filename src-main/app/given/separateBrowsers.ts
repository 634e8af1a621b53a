/**
 * The interface between engine and shell for browsers in separate windows, and the mapping of browsers to viewings. Each browser ends with
 * its viewing, or when the user closes it.
 */
import { Fault } from '../../contract/calls/faults.ts'
import type { OwnView } from '../../viewer/viewer.ts'
import { message } from '../../contract/words/message.ts'

/** The page to show and the credentials to use. */
export interface BrowserToStart {
  /** Port of the viewer's proxy on loopback. */
  proxyPort: number
  /** SHA-256 of the public key (SubjectPublicKeyInfo) of the archive's certificate authority, in base64: the
   *  browser trusts exactly this key. */
  spkiSha256: string
  /** Credentials of the viewing, which the proxy asks for. */
  user: string
  password: string
  /** URL at which the proxy asks the browser for the credentials, before it redirects to the page. */
  enter: string
}

/** A browser that shows a viewing. */
export interface StartedBrowser {
  /** Settles when the browser has ended and its profile has been removed. */
  ended: Promise<unknown>
  /** Closes the browser. Resolves when its profile has been removed. */
  end(): Promise<void>
}

/** Resolves when the browser shows the viewing. Rejects with `Fault` refused (there is none) or unreachable. */
export type StartBrowser = (wanted: BrowserToStart) => Promise<StartedBrowser>

/** Browsers by viewing. */
export interface Browsers {
  /** Starts a browser for the viewing. Rejects with `Fault`: refused (this shell has none), inUse (it has one
   *  already), unreachable. */
  begin(viewing: OwnView): Promise<void>
  /** Closes the browser of the viewing with this user name, if there is one. */
  end(user: string): Promise<void>
  /** Closes all browsers. */
  close(): Promise<void>
}

interface Parts {
  proxyPort: number
  spkiSha256: string
  /** Absent: this shell starts none. */
  start: StartBrowser | undefined
}

/** Makes the mapping of browsers to viewings. No browser is started yet. */
export function openBrowsers({ start, ...proxy }: Parts): Browsers {
  const begun = new Map<string, Promise<StartedBrowser>>()

  async function end(user: string): Promise<void> {
    // A failed start was reported to its caller.
    const browser = await begun.get(user)?.catch(() => undefined)
    await browser?.end()
  }

  return {
    async begin({ user, password, enter }) {
      if (!start) throw new Fault('refused', message('view.noBrowser'))
      if (begun.has(user)) throw new Fault('inUse', message('view.open', { name: user }))
      const starting = start({ ...proxy, user, password, enter })
      begun.set(user, starting)
      const forget = () => void begun.delete(user)
      try {
        void (await starting).ended.then(forget)
      } catch (error) {
        forget()
        throw error
      }
    },
    end,
    close: async () => void (await Promise.all([...begun.keys()].map(end))),
  }
}
