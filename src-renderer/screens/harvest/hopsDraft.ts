/** The hop limits as they are typed, and the input for the contract's schema. */
import { linkTypes, type hopModes } from '../../../src-main/contract/shapes/choices.ts'
import type { HarvestDefinition } from '../../../src-main/contract/services/definition.ts'

type LinkType = (typeof linkTypes)[number]

export type HopsDraft = Record<LinkType, number | string> & {
  mode: (typeof hopModes)[number]
  /** Whether hop distances are recorded although no limit is set. */
  kept: boolean
}

export const emptyHops: HopsDraft = { link: '', embed: '', redirect: '', sitemap: '', mode: 'accurate', kept: false }

/** Undefined when nothing is set; the harvest records no links then. */
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
