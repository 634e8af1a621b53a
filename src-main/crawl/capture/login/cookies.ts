/** The cookies of one job's run: those that the servers of its logins set, sent back only to these servers. Cookies of trackers
 *  are neither kept nor sent.
 *
 *  Cookies are written in the transaction that writes the results, and may be lost safely: a lost session costs one login, and
 *  the documents fetched in it are kept. */
import { CookieJar } from 'tough-cookie'
import type { Store } from '../../../storage/storage.ts'
import type { Clock } from '../../../world/world.ts'
import { cookieStatements } from './cookies.sql.ts'
import { CookieStore } from './cookieStore.ts'

/** The cookie jar of a run. */
export interface Cookies {
  /** The value of the Cookie field for a request to this URL; undefined for none. */
  fieldFor(url: string): string | undefined
  /** Stores the Set-Cookie lines of an answer from this URL. Invalid cookies are ignored. */
  take(url: string, lines: readonly string[]): void
  /** The values of all cookies kept; any of them may be a session identifier. */
  values(): string[]
  /** Writes the changes to the database; must be called inside a transaction. */
  writeDown(): void
}

/** Settings of `openCookies`. */
export interface CookiesSetting {
  store: Store
  job: number
  clock: Clock
  /** Host names to which cookies may be sent: those of the logins. */
  hosts: ReadonlySet<string>
}

/** Loads the cookies of the job. */
export function openCookies({ store, job, clock, hosts }: CookiesSetting): Cookies {
  const sql = cookieStatements(store)
  const kept = new CookieStore(sql.ofJob.all({ job }), () => clock.now())
  const jar = new CookieJar(kept, { looseMode: true, allowSpecialUseDomain: true })
  const isAllowed = (url: string) => hosts.has(new URL(url).hostname)
  return {
    fieldFor(url) {
      if (!isAllowed(url)) return undefined
      // The store handles expiry, by the world's clock; the jar would use the clock of the machine.
      const cookies = jar.getCookiesSync(url, { expire: false, sort: true })
      return cookies.map((cookie) => cookie.cookieString()).join('; ') || undefined
    },
    take(url, lines) {
      if (!isAllowed(url)) return
      for (const line of lines) {
        // A cookie for a public suffix or another domain, or one that cannot be parsed, is ignored (RFC 6265 section 5.3).
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
