/** What documents lead to, whatever they are. */
import type { LinkType } from '../../contract/shapes/hops.ts'
import type { Found } from './scope.ts'

/** An address that a document leads to, and how. */
export interface Outlink {
  /** Canonical: the identity of a document. */
  url: string
  kind: Found['kind']
  /** What names the state that it is in, as far as it is known here: the same as last time means that nothing has changed.
   *  Null: its list says nothing of it. */
  version?: string | null
  /** What it says of the document there (name → value): handed down to it, and written beside its capture. */
  carriedData?: Record<string, string>
}

/** One letter a hop, as Heritrix writes them. */
export const hopLetter = { link: 'L', embed: 'E', redirect: 'R', sitemap: 'M' } as const satisfies Record<
  LinkType,
  string
>

/** What a limit of the definition calls it. */
export const linkTypeOf = { navigation: 'link', embed: 'embed', redirect: 'redirect', sitemap: 'sitemap' } as const
