/** Determines how much of a large space of cases one run of the tests covers: each commit draws its own sample, so that a
 *  week of commits covers the space and a run takes minutes. `LOUPE_SAMPLE` is the seed of the sample, which
 *  `vitest.config.ts` derives from the commit and the run prints; `LOUPE_SAMPLE=all` (`npm run nightly`) is the whole space. */
import process from 'node:process'
import { seededChance } from './seededChance.ts'

const wanted = process.env['LOUPE_SAMPLE'] ?? '1'

/** Whether the whole space is covered. */
export const isWhole = wanted === 'all'

/** Seed for tests that draw other values than rows. 1 if the whole space is covered. */
export const sampleSeed = isWhole ? 1 : Number(wanted)

/** Returns `count` of the cases, by default a quarter, in their order; all of them if the whole space is covered. */
export function sampleOf<Case>(cases: readonly Case[], count: number = Math.ceil(cases.length / 4)): Case[] {
  return isWhole ? [...cases] : drawn(cases, count, sampleSeed)
}

/** Draws `count` cases; the same seed gives the same ones. */
export function drawn<Case>(cases: readonly Case[], count: number, seed: number): Case[] {
  const chance = seededChance(seed)
  const left = [...cases.keys()]
  while (left.length > count) left.splice(chance.below(left.length), 1)
  return cases.filter((_, at) => left.includes(at))
}
