/** What documents lead to, whatever they are. */
import type { LinkType } from '../../contract/shapes/hops.ts'
import type { Found } from './scope.ts'

/** A URL that a document leads to, and how. */
export interface Outlink {
  /** Canonical: the identity of a document. */
  url: string
  kind: Found['kind']
  /** Version of the target as its list names it; the same version as last time means that it has not changed. Null: the list
   *  names none. */
  version?: string | null
  /** Data about the target (name → value), handed down to it and written into its metadata record. */
  carriedData?: Record<string, string>
}

/** One letter a hop, as Heritrix writes them. */
export const hopLetter = { link: 'L', embed: 'E', redirect: 'R', sitemap: 'M' } as const satisfies Record<
  LinkType,
  string
>

/** What a limit of the definition calls it. */
export const linkTypeOf = { navigation: 'link', embed: 'embed', redirect: 'redirect', sitemap: 'sitemap' } as const
