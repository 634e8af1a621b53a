/** The session token: the shell hands it over in the fragment of the first address, which no server ever sees. It is kept
 *  for this window only and taken off the address bar, so that it is in no screenshot and no bookmark. */

const storageKey = 'loupe.token'

export function takeToken(page: {
  location: Pick<Location, 'hash' | 'pathname' | 'search'>
  storage: Pick<Storage, 'getItem' | 'setItem'>
  replaceAddress: (address: string) => void
}): string | undefined {
  const fragment = new URLSearchParams(page.location.hash.replace(/^#/, ''))
  const handed = fragment.get('token')
  if (handed) {
    page.storage.setItem(storageKey, handed)
    page.replaceAddress(`${page.location.pathname}${page.location.search}`)
    return handed
  }
  return page.storage.getItem(storageKey) ?? undefined
}
