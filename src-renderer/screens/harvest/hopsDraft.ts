/** The limits of hops as they are typed, and what the contract's schema is given of them. */
import type { hopModes } from '../../../src-main/contract/choices.ts'
import { linkTypes } from '../../../src-main/contract/choices.ts'

type LinkType = (typeof linkTypes)[number]

export type HopsDraft = Record<LinkType, number | string> & { mode: (typeof hopModes)[number] }

export const emptyHops: HopsDraft = { link: '', embed: '', redirect: '', sitemap: '', mode: 'accurate' }

/** Undefined where nothing was said: then the harvest keeps no links. */
export function hopsInput({ mode, ...limits }: HopsDraft): object | undefined {
  const typed = linkTypes.filter((type) => limits[type] !== '')
  if (typed.length === 0 && mode === emptyHops.mode) return undefined
  return { mode, limits: Object.fromEntries(typed.map((type) => [type, limits[type]])) }
}

/** As in hops.limits.redirect: the field that the schema complains of. */
export function hopsFieldOf(path: readonly PropertyKey[]): string {
  return String(path.at(-1))
}
