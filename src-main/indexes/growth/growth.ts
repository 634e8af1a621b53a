/** Captures and their bytes over time: what is asked of the thread that counts them, and what it answers. */
import type { growthGroups, growthPeriods } from '../../contract/shapes/choices.ts'
import type { KeyRange } from '../model/keyRanges.ts'

export type GrowthPeriod = (typeof growthPeriods)[number]
export type GrowthGroup = (typeof growthGroups)[number]

/** Captures, and the bytes of their records as compressed in the archive. */
export interface Amount {
  captures: number
  bytes: number
}

/** What is counted. */
export interface GrowthAsked {
  /** Only captures of this domain and all hosts below it. */
  domain?: string | undefined
  period: GrowthPeriod
  /** Undefined: everything is one group. */
  by?: GrowthGroup | undefined
  /** Groups with a name. */
  groupsMax: number
}

/** What the thread works on. */
export interface GrowthInput extends Omit<GrowthAsked, 'domain'> {
  /** Path of a complete capture database. */
  database: string
  /** Keys of the captures, ascending. */
  ranges: readonly KeyRange[]
}

/** Amounts by period and group. */
export interface Growth extends Amount {
  /** The most captures first. Name '': not known; null: everything else, which is the last. */
  groups: (Amount & { name: string | null })[]
  /** Periods with captures, ascending, each with the amounts of all groups. */
  rows: { period: string; amounts: Amount[] }[]
}

/** Undefined: there are more than `growthPeriodsMax` periods. */
export type Counted = Growth | undefined

/** The growth of an archive without files. */
export const noGrowth: Growth = { captures: 0, bytes: 0, groups: [], rows: [] }
