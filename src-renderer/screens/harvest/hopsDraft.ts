/** The limits of hops as they are typed, and what the contract's schema is given of them. */
import { linkTypes, type hopModes } from '../../../src-main/contract/shapes/choices.ts'
import type { HarvestDefinition } from '../../../src-main/contract/services/definition.ts'

type LinkType = (typeof linkTypes)[number]

export type HopsDraft = Record<LinkType, number | string> & {
  mode: (typeof hopModes)[number]
  /** Distances are kept although nothing is limited yet. */
  kept: boolean
}

export const emptyHops: HopsDraft = { link: '', embed: '', redirect: '', sitemap: '', mode: 'accurate', kept: false }

/** Undefined where nothing was said: then the harvest keeps no links. */
export function hopsInput({ mode, kept, ...limits }: HopsDraft): object | undefined {
  const typed = linkTypes.filter((type) => limits[type] !== '')
  if (typed.length === 0 && mode === emptyHops.mode && !kept) return undefined
  return { mode, limits: Object.fromEntries(typed.map((type) => [type, limits[type]])) }
}

export function hopsDraftOf(hops: HarvestDefinition['hops']): HopsDraft {
  if (!hops) return emptyHops
  const { mode, limits } = hops
  const { link = '', embed = '', redirect = '', sitemap = '' } = limits
  return { link, embed, redirect, sitemap, mode, kept: Object.keys(limits).length === 0 }
}
