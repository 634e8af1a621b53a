/** Links as they are sent between threads. An object for each link would cost more to copy than its text: a page has a hundred. */
import type { Link, LinkKind } from '../../../formats/links/linkList.ts'

const letters = { navigation: 'n', embed: 'e', sitemap: 's' } as const satisfies Record<LinkKind, string>
const kinds: Record<string, LinkKind> = { n: 'navigation', e: 'embed', s: 'sitemap' }

/** Links in order: their URLs, and one letter for the kind of each. */
export interface PackedLinks {
  urls: string[]
  kinds: string
}

/** Packs links. */
export function packedLinks(links: readonly Link[]): PackedLinks {
  return { urls: links.map(({ url }) => url), kinds: links.map(({ kind }) => letters[kind]).join('') }
}

/** Returns the links that were packed. */
export function unpackedLinks(packed: PackedLinks): Link[] {
  return packed.urls.map((url, at) => ({ url, kind: kinds[packed.kinds[at] ?? ''] ?? 'navigation' }))
}
