/**
 * The interface between engine and shell for browsers in separate windows, and the mapping of browsers to viewings. Each browser ends with
 * its viewing, or when the user closes it.
 */
import { Fault } from '../../contract/calls/faults.ts'
import type { OwnView } from '../../viewer/viewer.ts'
import { message } from '../../contract/words/message.ts'

/** The page to show and the credentials to use. */
export interface BrowserToStart {
  proxyPort: number
  spkiSha256: string
  user: string
  password: string
  /** Address at which the browser is asked for the credentials, and redirected to the page. */
  enter: string
}

export interface StartedBrowser {
  /** Settles when the browser has ended and its profile has been removed. */
  ended: Promise<unknown>
  end(): Promise<void>
}

/** Resolves when the browser shows the viewing. Rejects with `Fault` refused (there is none) or unreachable. */
export type StartBrowser = (wanted: BrowserToStart) => Promise<StartedBrowser>

/** Browsers by viewing. */
export interface Browsers {
  begin(viewing: OwnView): Promise<void>
  end(user: string): Promise<void>
  close(): Promise<void>
}

interface Parts {
  proxyPort: number
  spkiSha256: string
  /** Absent: this shell starts none. */
  start: StartBrowser | undefined
}

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
