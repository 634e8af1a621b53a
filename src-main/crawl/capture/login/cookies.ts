/** The cookies of one job's run: what servers of its logins set, given back to them and to nobody else. A tracker's cookie
 *  is neither kept nor sent.
 *
 *  They are written in the transaction that writes results down, and all of them are safe to lose: a lost session costs one
 *  login, and what was fetched in it is kept. */
import { CookieJar } from 'tough-cookie'
import type { Store } from '../../../storage/storage.ts'
import type { Clock } from '../../../world/world.ts'
import { cookieStatements } from './cookies.sql.ts'
import { CookieStore } from './cookieStore.ts'

export interface Cookies {
  /** The value of the Cookie field for a request to this address; undefined for none. */
  fieldFor(url: string): string | undefined
  /** The lines of Set-Cookie of an answer from this address. What breaks the rules is passed over. */
  take(url: string, lines: readonly string[]): void
  /** The values of all that are kept: session identifiers, as far as anybody can tell. */
  values(): string[]
  /** Inside a transaction: writes down what has changed. */
  writeDown(): void
}

export interface CookiesSetting {
  store: Store
  job: number
  clock: Clock
  /** Host names that may be sent cookies: those of the logins. */
  hosts: ReadonlySet<string>
}

export function openCookies({ store, job, clock, hosts }: CookiesSetting): Cookies {
  const sql = cookieStatements(store)
  const kept = new CookieStore(sql.ofJob.all({ job }), () => clock.now())
  const jar = new CookieJar(kept, { looseMode: true, allowSpecialUseDomain: true })
  const isAllowed = (url: string) => hosts.has(new URL(url).hostname)
  return {
    fieldFor(url) {
      if (!isAllowed(url)) return undefined
      // Expiry is the store's, by the world's clock; the jar would ask the machine's.
      const cookies = jar.getCookiesSync(url, { expire: false, sort: true })
      return cookies.map((cookie) => cookie.cookieString()).join('; ') || undefined
    },
    take(url, lines) {
      if (!isAllowed(url)) return
      for (const line of lines) {
        // A public suffix, another's domain, what cannot be read: RFC 6265 section 5.3 ignores such a cookie.
        jar.setCookieSync(line, url, { now: new Date(clock.now()), ignoreError: true })
      }
    },
    values: () => kept.values(),
    writeDown() {
      for (const { row, domain, path, name } of kept.takeChanges()) {
        if (row) sql.put.run({ job, ...row })
        else sql.remove.run({ job, domain, path, name })
      }
    },
  }
}
