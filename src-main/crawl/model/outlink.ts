/** Outlinks: URLs that documents of any kind lead to. */
import type { LinkType } from '../../contract/shapes/hops.ts'
import type { Found } from './scope.ts'

/** A URL that a document leads to, and how. */
export interface Outlink {
  /** Canonical: the identity of a document. */
  url: string
  kind: Found['kind']
  /** Version of the target according to its list; the same version as last time means that it has not changed. Null: the list
   *  names none. */
  version?: string | null
  /** Data about the target (name → value), passed on to it and written into its metadata record. */
  carriedData?: Record<string, string>
}

/** One letter for each hop, as in Heritrix. */
export const hopLetter = { link: 'L', embed: 'E', redirect: 'R', sitemap: 'M' } as const satisfies Record<
  LinkType,
  string
>

/** Link type, as the limits of a definition name it, for each kind of outlink. */
export const linkTypeOf = { navigation: 'link', embed: 'embed', redirect: 'redirect', sitemap: 'sitemap' } as const
