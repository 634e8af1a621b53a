/**
 * Request limits of a harvest: rules for the bins of documents, and how long a host rests after an answer. On the Web the bin of a document
 * is its host name. The limits of a bin are computed here as well, so that the interface can show them before a harvest begins.
 */
import { z } from 'zod'
import { matcherOf, patternsIn } from '../../patterns/pattern.ts'
import { refusedAs } from '../calls/refusedValue.ts'
import { message } from '../words/message.ts'

/** Shape of one rule of the request limits. */
export const throttleRule = z
  .strictObject({
    /** Searched anywhere in the name of the bin: `\.example\.org$` applies to every host of that domain. */
    match: z.string().min(1).max(500),
    /** What the rule is for. */
    description: z.string().trim().min(1).max(500).optional(),
    /** 0: never. */
    fetchesPerMinute: z.number().min(0).max(60_000).optional(),
    connections: z.int().min(1).max(100).optional(),
    bytesPerSecond: z.int().min(1).optional(),
  })
  .refine(
    ({ fetchesPerMinute, connections, bytesPerSecond }) =>
      fetchesPerMinute !== undefined || connections !== undefined || bytesPerSecond !== undefined,
    refusedAs((field) => message('value.throttleRule', { field })),
  )
export type ThrottleRule = z.output<typeof throttleRule>

/** Shape of the request limits of a harvest. */
/** Most rules of one harvest or connection. */
export const throttleRulesMax = 100

export const throttleShape = z.strictObject({
  rules: z.array(throttleRule).max(throttleRulesMax).default([]),
  /** A host rests for this many times the duration of its last answer, but never less than the harvest's pause. 0: only the pause. */
  delayFactor: z.number().min(0).max(100).optional(),
  /** Upper bound of the rest computed with the factor. */
  delayMsMax: z.int().min(0).max(3_600_000).optional(),
})

/** Limits of one bin; those that no rule sets are unlimited. */
export interface BinLimits {
  /** Infinity: no limit. */
  fetchesPerMs: number
  connections: number
  bytesPerMs: number
}

/** Limits of a bin that no rule matches. */
export const unlimited: BinLimits = { fetchesPerMs: Infinity, connections: Infinity, bytesPerMs: Infinity }

/**
 * Makes a function that returns the limits of a bin. Of several rules that match, the strictest limit of each kind applies. Results are
 * cached: a bin is looked up for each of its documents. A rule with an invalid pattern limits nothing: no run begins with one.
 */
export function limitsBy(rules: readonly ThrottleRule[]): (bin: string) => BinLimits {
  if (rules.length === 0) return () => unlimited
  const matcher = matcherOf(patternsIn(rules.map(({ match }) => match)))
  const known = new Map<string, BinLimits>()
  return (bin) => {
    const before = known.get(bin)
    if (before) return before
    const matching = new Set(matcher.all(bin).map(({ written }) => written))
    const limits = strictest(rules.filter(({ match }) => matching.has(match)).map(limitsOf))
    if (known.size >= knownCountMax) known.clear()
    known.set(bin, limits)
    return limits
  }
}

export function strictest(all: readonly BinLimits[]): BinLimits {
  return all.reduce(
    (least, each) => ({
      fetchesPerMs: Math.min(least.fetchesPerMs, each.fetchesPerMs),
      connections: Math.min(least.connections, each.connections),
      bytesPerMs: Math.min(least.bytesPerMs, each.bytesPerMs),
    }),
    unlimited,
  )
}

/** Number of bins in the cache: a crawl of the Web meets a hundred thousand hosts. Others are computed again. */
const knownCountMax = 100_000

function limitsOf({
  fetchesPerMinute = Infinity,
  connections = Infinity,
  bytesPerSecond = Infinity,
}: Omit<ThrottleRule, 'match' | 'description'>): BinLimits {
  return { fetchesPerMs: fetchesPerMinute / 60_000, connections, bytesPerMs: bytesPerSecond / 1000 }
}
