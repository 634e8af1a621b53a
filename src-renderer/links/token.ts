/** What permits this window to ask the engine: the session token, and where it came from. It is kept for this window only. A token in the fragment
 *  of the first URL, which no server sees, is removed from the address bar, so that no screenshot or bookmark contains it. */

const tokenKey = 'loupe.token'
const windowKey = 'loupe.window'
const accountKey = 'loupe.account'

export interface HandedOver {
  /** Token of this start or of a session; '' where a server in front names the account with each request. */
  token: string
  /** Opened by the shell, so it is on the machine on which the shell runs. */
  isOwnWindow: boolean
  /** An account has logged in; otherwise the token is that of the start of the engine. */
  isAccount: boolean
}

export function takeHandedOver(page: {
  location: Pick<Location, 'hash' | 'pathname'>
  storage: Pick<Storage, 'getItem' | 'setItem'>
  replaceAddress: (address: string) => void
}): HandedOver | undefined {
  const { location, storage, replaceAddress } = page
  const fragment = new URLSearchParams(location.hash.replace(/^#/, ''))
  const handed = fragment.get('token')
  if (handed) {
    keepHandedOver(storage, { token: handed, isOwnWindow: fragment.get('window') === 'own', isAccount: false })
    // The query only let a window open once (`openingUrl` of the server shell).
    replaceAddress(location.pathname)
  }
  const token = storage.getItem(tokenKey)
  if (token === null) return undefined
  const isKept = (key: string, value: string) => storage.getItem(key) === value
  return { token, isOwnWindow: isKept(windowKey, 'own'), isAccount: isKept(accountKey, 'yes') }
}

/** Whether the browser came back from an identity provider: the server sent it to this fragment, which is removed from the address bar. */
export function takeReturn(page: {
  location: Pick<Location, 'hash' | 'pathname'>
  replaceAddress: (address: string) => void
}): boolean {
  if (page.location.hash !== '#provider') return false
  page.replaceAddress(page.location.pathname)
  return true
}

export function keepHandedOver(storage: Pick<Storage, 'setItem'>, { token, isOwnWindow, isAccount }: HandedOver): void {
  storage.setItem(tokenKey, token)
  storage.setItem(windowKey, isOwnWindow ? 'own' : '')
  storage.setItem(accountKey, isAccount ? 'yes' : '')
}

/** Header with a token. None where a server in front names the account: it may need the header for a log-in of its own. */
export function authorizationOf(token: string): { authorization?: string } {
  return token === '' ? {} : { authorization: `Bearer ${token}` }
}

/** Forgets the token of this window. */
export function forgetHandedOver(storage: Pick<Storage, 'removeItem'>): void {
  for (const key of [tokenKey, windowKey, accountKey]) storage.removeItem(key)
}

/** Parses a message of another window. */
export function isHandedOver(value: unknown): value is HandedOver {
  if (typeof value !== 'object' || value === null) return false
  const { token, isOwnWindow, isAccount } = value as Record<string, unknown>
  return typeof token === 'string' && typeof isOwnWindow === 'boolean' && typeof isAccount === 'boolean'
}
