/** The store that backs tough-cookie's jar: cookies in memory, with times from the world's clock, and a record of changes. The
 *  jar implements the rules of RFC 6265; `cookies` decides which hosts may receive cookies at all. */
import { Cookie, domainMatch, pathMatch, Store as JarStore, type Callback, type Nullable } from 'tough-cookie'
import type { CookieRow } from './cookies.sql.ts'

/** Limits that RFC 6265 section 6.1 asks for: 3000 cookies in all, 4096 bytes each. */
const cookiesMax = 3_000
const cookieBytesMax = 4_096

type Key = string
const keyOf = (domain: Nullable<string>, path: Nullable<string>, name: Nullable<string>): Key =>
  [domain, path, name].map((part) => part ?? '').join('\n')

/** Cookies of one job. Above `cookiesMax`, the one that was stored longest ago is dropped. */
export class CookieStore extends JarStore {
  override synchronous = true
  readonly #now: () => number
  readonly #rows = new Map<Key, CookieRow>()
  readonly #changed = new Set<Key>()

  constructor(rows: readonly CookieRow[], now: () => number) {
    super()
    this.#now = now
    for (const row of rows) this.#rows.set(keyOf(row.domain, row.path, row.name), row)
  }

  /** Changes since the last call; `row` is undefined for a cookie that was removed. */
  takeChanges(): { row: CookieRow | undefined; domain: string; path: string; name: string }[] {
    const changes = [...this.#changed].map((key) => {
      const [domain = '', path = '', name = ''] = key.split('\n')
      return { row: this.#rows.get(key), domain, path, name }
    })
    this.#changed.clear()
    return changes
  }

  /** The values of all cookies. */
  values(): string[] {
    return [...this.#rows.values()].map(({ value }) => value)
  }

  override findCookie(
    domain: Nullable<string>,
    path: Nullable<string>,
    name: Nullable<string>,
    callback?: Callback<Cookie | undefined>,
  ): Promise<Cookie | undefined> {
    const row = this.#rows.get(keyOf(domain, path, name))
    return answered(row && cookieOf(row), callback)
  }

  override findCookies(
    domain: Nullable<string>,
    path: Nullable<string>,
    _special?: boolean,
    callback?: Callback<Cookie[]>,
  ): Promise<Cookie[]> {
    const nowMs = this.#now()
    const found = [...this.#rows.values()].filter(
      (row) =>
        (row.expiresMs === null || row.expiresMs > nowMs) &&
        domainMatch(domain ?? '', row.domain, false) === true &&
        (path === null || path === undefined || pathMatch(path, row.path)),
    )
    return answered(found.map(cookieOf), callback)
  }

  override putCookie(cookie: Cookie, callback?: (error: Error | null) => void): Promise<void> {
    const key = keyOf(cookie.domain, cookie.path, cookie.key)
    const row = rowOf(cookie)
    this.#rows.delete(key)
    const isGone = row.expiresMs !== null && row.expiresMs <= this.#now()
    const bytes = cookie.key.length + cookie.value.length
    if (!isGone && bytes > 0 && bytes <= cookieBytesMax) this.#rows.set(key, row)
    this.#changed.add(key)
    const [oldest] = this.#rows.keys()
    if (this.#rows.size > cookiesMax && oldest !== undefined) {
      this.#rows.delete(oldest)
      this.#changed.add(oldest)
    }
    callback?.(null)
    return Promise.resolve()
  }

  override updateCookie(_old: Cookie, cookie: Cookie, callback?: (error: Error | null) => void): Promise<void> {
    return this.putCookie(cookie, callback)
  }
}

function answered<T>(value: T, callback: Callback<T> | undefined): Promise<T> {
  callback?.(null, value)
  return Promise.resolve(value)
}

function rowOf(cookie: Cookie): CookieRow {
  const createdMs = momentOf(cookie.creation) ?? 0
  // Max-Age counts from when the cookie was received (RFC 6265 section 5.2.2), not from when it was last sent.
  const heardMs = momentOf(cookie.lastAccessed) ?? createdMs
  const expiresMs = cookie.expiryTime(new Date(heardMs))
  return {
    domain: cookie.domain ?? '',
    path: cookie.path ?? '/',
    name: cookie.key,
    value: cookie.value,
    isHostOnly: cookie.hostOnly ? 1 : 0,
    isSecure: cookie.secure ? 1 : 0,
    expiresMs: expiresMs === undefined || expiresMs === Infinity ? null : Math.max(0, expiresMs),
    createdMs,
  }
}

function cookieOf(row: CookieRow): Cookie {
  return new Cookie({
    key: row.name,
    value: row.value,
    domain: row.domain,
    path: row.path,
    hostOnly: row.isHostOnly === 1,
    secure: row.isSecure === 1,
    creation: new Date(row.createdMs),
    expires: row.expiresMs === null ? 'Infinity' : new Date(row.expiresMs),
  })
}

function momentOf(date: Date | 'Infinity' | null): number | undefined {
  return date instanceof Date ? date.getTime() : undefined
}
