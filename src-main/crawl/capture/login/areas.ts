/** Which login an address belongs to. A beginning is compared origin by origin, so `https://example.org` never means
 *  `https://example.org.elsewhere.example/`, and no password leaves for another server because its address looks alike. */
import type { Login, LoginArea } from '../../../contract/services/login.ts'

export interface Place {
  origin: string
  path: string
}

export function placeOf(address: string): Place {
  const { origin, pathname, search } = new URL(address)
  return { origin, path: pathname + search }
}

export function beginsWith(url: string, place: Place): boolean {
  const there = placeOf(url)
  return there.origin === place.origin && there.path.startsWith(place.path)
}

/** The place of an area in the list, of the one with the longest fitting beginning; undefined when none needs a login. */
export function areaFinder({ areas }: Login): (url: string) => number | undefined {
  const places = areas
    .flatMap(({ urls }, area) => urls.map((url) => ({ area, place: placeOf(url) })))
    .sort((a, b) => b.place.path.length - a.place.path.length)
  return (url) => places.find(({ place }) => beginsWith(url, place))?.area
}

/** Names of the hosts that a person named with a login: they may have cookies, and may lie in a private network. */
export function hostsOf({ areas }: Login): Set<string> {
  return new Set(areas.flatMap(addressesOf).map((address) => new URL(address).hostname))
}

function addressesOf(area: LoginArea): string[] {
  return area.kind === 'form' ? [...area.urls, area.page, ...(area.submitsTo ? [area.submitsTo] : [])] : area.urls
}
