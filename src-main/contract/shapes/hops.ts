/** How far from its seeds a harvest goes, link type by link type. A limit counts the links of its type on the shortest way from a
 *  seed, whatever the other links on that way are. */
import { z } from 'zod'
import { hopModes, type linkTypes } from './choices.ts'

export type LinkType = (typeof linkTypes)[number]
export type HopMode = (typeof hopModes)[number]

const limit = z.int().min(0).optional()

/** Distances are kept where the definition has this object or `maxHops`. Without them a harvest writes down no links at all and
 *  pays nothing; with an object without limits they are kept all the same, for a limit that a later run may have. */
export const hopsShape = z.strictObject({
  mode: z.enum(hopModes).default('accurate'),
  limits: z.strictObject({ link: limit, embed: limit, redirect: limit, sitemap: limit }).default({}),
})
