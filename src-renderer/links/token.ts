/** What the shell hands over in the fragment of the first address, which no server ever sees: the session token, and whether this is the
 *  window that it opened itself. It is kept for this window only and taken off the address bar, so that it is in no screenshot and no
 *  bookmark. */

const tokenKey = 'loupe.token'
const windowKey = 'loupe.window'

export interface HandedOver {
  token: string | undefined
  /** Opened by the shell, so on the machine on which it runs. */
  isOwnWindow: boolean
}

export function takeHandedOver(page: {
  location: Pick<Location, 'hash' | 'pathname'>
  storage: Pick<Storage, 'getItem' | 'setItem'>
  replaceAddress: (address: string) => void
}): HandedOver {
  const { location, storage, replaceAddress } = page
  const fragment = new URLSearchParams(location.hash.replace(/^#/, ''))
  const handed = fragment.get('token')
  if (handed) {
    storage.setItem(tokenKey, handed)
    storage.setItem(windowKey, fragment.get('window') ?? '')
    // The query only let a window open once (`openingUrl` of the server shell).
    replaceAddress(location.pathname)
  }
  return { token: storage.getItem(tokenKey) ?? undefined, isOwnWindow: storage.getItem(windowKey) === 'own' }
}
