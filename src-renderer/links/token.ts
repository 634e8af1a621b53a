/** The fragment of the first URL, which no server sees: the session token, and whether the shell opened this window itself. It is kept
 *  for this window only and removed from the address bar, so that no screenshot or bookmark contains it. */

const tokenKey = 'loupe.token'
const windowKey = 'loupe.window'

export interface HandedOver {
  token: string
  /** Opened by the shell, so it is on the machine on which the shell runs. */
  isOwnWindow: boolean
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
    keepHandedOver(storage, { token: handed, isOwnWindow: fragment.get('window') === 'own' })
    // The query only let a window open once (`openingUrl` of the server shell).
    replaceAddress(location.pathname)
  }
  const token = storage.getItem(tokenKey)
  return token === null ? undefined : { token, isOwnWindow: storage.getItem(windowKey) === 'own' }
}

export function keepHandedOver(storage: Pick<Storage, 'setItem'>, { token, isOwnWindow }: HandedOver): void {
  storage.setItem(tokenKey, token)
  storage.setItem(windowKey, isOwnWindow ? 'own' : '')
}

/** Parses a message of another window. */
export function isHandedOver(value: unknown): value is HandedOver {
  if (typeof value !== 'object' || value === null || !('token' in value) || !('isOwnWindow' in value)) return false
  return typeof value.token === 'string' && typeof value.isOwnWindow === 'boolean'
}
