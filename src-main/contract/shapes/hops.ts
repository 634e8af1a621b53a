/**
 * Limits of the distance from the seeds, by link type. A limit counts the links of its type on the shortest path from a seed, whatever the
 * other links on that path are.
 */
import { z } from 'zod'
import { hopModes, type linkTypes } from './choices.ts'

export type LinkType = (typeof linkTypes)[number]
export type HopMode = (typeof hopModes)[number]

const limit = z.int().min(0).optional()

/**
 * Distances are stored if the definition has this object or `maxHops`. Without them a harvest records no links and has no overhead; an
 * object without limits records them for a limit that a later run may have.
 */
export const hopsShape = z.strictObject({
  mode: z.enum(hopModes).default('accurate'),
  limits: z.strictObject({ link: limit, embed: limit, redirect: limit, sitemap: limit }).default({}),
})
