/** Measures of distance from the seeds; each says which types of links count as a step. Only the measures that a definition
 *  limits are computed. */
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import { linkTypes } from '../../contract/shapes/choices.ts'
import type { LinkType } from '../../contract/shapes/hops.ts'

/** Link types of each measure. `hops` is the one that `maxHops` limits. A sitemap or feed counts as a page that links to its
 *  entries. */
export const measures = {
  hops: ['link', 'sitemap'],
  link: ['link'],
  embed: ['embed'],
  redirect: ['redirect'],
  sitemap: ['sitemap'],
} as const satisfies Record<string, readonly LinkType[]>

/** Name of a measure. */
export type Measure = keyof typeof measures

/** Maps each measure to the most steps; Infinity if it is only computed. */
export type HopLimits = ReadonlyMap<Measure, number>

/** Returns the limits of a definition; undefined if it asks for no distances: then none are recorded. */
export function hopLimitsOf({ maxHops, hops }: Pick<HarvestDefinition, 'maxHops' | 'hops'>): HopLimits | undefined {
  if (maxHops === undefined && hops === undefined) return undefined
  const limits = new Map<Measure, number>()
  for (const type of linkTypes) {
    const most = hops?.limits[type]
    if (most !== undefined) limits.set(type, most)
  }
  if (maxHops !== undefined || limits.size === 0) limits.set('hops', maxHops ?? Infinity)
  return limits
}
