/** Maps a URL to its login. Prefixes are compared origin first, so `https://example.org` never matches
 *  `https://example.org.elsewhere.example/`, and no password is sent to another server with a similar URL. */
import type { Login, LoginArea } from '../../../contract/services/login.ts'

/** A URL, split for comparison. */
export interface Place {
  origin: string
  /** Path and query. */
  path: string
}

/** Splits an absolute URL. */
export function placeOf(address: string): Place {
  const { origin, pathname, search } = new URL(address)
  return { origin, path: pathname + search }
}

/** Whether the URL has the same origin as `place` and its path begins with that of `place`. */
export function beginsWith(url: string, place: Place): boolean {
  const there = placeOf(url)
  return there.origin === place.origin && there.path.startsWith(place.path)
}

/** Returns a function that maps a URL to the index of the area with the longest matching prefix; undefined if it needs no login. */
export function areaFinder({ areas }: Login): (url: string) => number | undefined {
  const places = areas
    .flatMap(({ urls }, area) => urls.map((url) => ({ area, place: placeOf(url) })))
    .sort((a, b) => b.place.path.length - a.place.path.length)
  return (url) => places.find(({ place }) => beginsWith(url, place))?.area
}

/** Names of the hosts that the user entered with a login: cookies may be sent to them, and they may be in a private network. */
export function hostsOf({ areas }: Login): Set<string> {
  return new Set(areas.flatMap(addressesOf).map((address) => new URL(address).hostname))
}

function addressesOf(area: LoginArea): string[] {
  return area.kind === 'form' ? [...area.urls, area.page, ...(area.submitsTo ? [area.submitsTo] : [])] : area.urls
}
