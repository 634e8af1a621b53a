/** What a change of each part of a definition means: whether the list of the job is looked at from its beginning for it, and
 *  whether a run that is under way can take it. One table over all parts, so that a new part cannot be forgotten. */
import { isDeepStrictEqual } from 'node:util'
import { usualConnectors } from '../../contract/connectors.ts'
import type { HarvestDefinition } from '../../contract/contract.ts'
import { recheckOnce } from '../../contract/recrawl.ts'
import { hopLimitsOf } from '../hops/measures.ts'

/** The schedule is not here: it is no part of what a run does. */
type Part = Exclude<keyof HarvestDefinition, 'schedule'>

interface PartRow {
  /** As a sentence names it. */
  words: string
  /** The next run looks at everything, also a minimal one: what the list says may be wrong by the new definition. */
  fromBeginning: boolean
  /** Why a run that is under way cannot take this change; undefined: it can. */
  fixedInRun?: (before: HarvestDefinition, after: HarvestDefinition) => string | undefined
}

const hopsRow: PartRow = {
  words: 'the limits of hops',
  fromBeginning: true,
  fixedInRun: (before, after) =>
    hopLimitsOf(before) === undefined && hopLimitsOf(after) !== undefined
      ? 'this run has not counted them from its start'
      : undefined,
}

const parts: Record<Part, PartRow> = {
  seeds: { words: 'the seeds', fromBeginning: true },
  name: { words: 'the name', fromBeginning: false },
  scope: { words: 'what belongs to it', fromBeginning: true },
  maxHops: hopsRow,
  hops: hopsRow,
  // A limit that was met before left out what lay behind it.
  maxObjects: { words: 'the most documents', fromBeginning: true },
  maxBytes: { words: 'the most bytes', fromBeginning: true },
  maxSeconds: { words: 'the most time', fromBeginning: true },
  workers: { words: 'the workers', fromBeginning: false },
  delayMs: { words: 'the pause', fromBeginning: false },
  connectionsPerHost: { words: 'the connections per host', fromBeginning: false },
  throttle: { words: 'the throttle rules', fromBeginning: false },
  robots: {
    words: 'whether robots.txt is obeyed',
    fromBeginning: true,
    fixedInRun: () => 'hosts that this run has met already would go by the other rule',
  },
  include: { words: 'the include patterns', fromBeginning: true },
  exclude: { words: 'the exclude patterns', fromBeginning: true },
  userAgent: { words: 'the user agent', fromBeginning: true },
  resolve: { words: 'the addresses of hosts', fromBeginning: true },
  recheck: {
    words: 'how documents are looked at again',
    fromBeginning: false,
    fixedInRun: (before, after) =>
      (before.recheck ?? recheckOnce).type === (after.recheck ?? recheckOnce).type
        ? undefined
        : 'what this run is done with would never be looked at again, or what waits to be would be done',
  },
  connectors: {
    words: 'where documents come from and where they go',
    fromBeginning: true,
    fixedInRun: () => 'a run has one source and one output',
  },
  login: { words: 'the login', fromBeginning: true, fixedInRun: () => 'documents wait for the one that is begun' },
}

const names = Object.keys(parts) as Part[]

export function changedParts(before: HarvestDefinition, after: HarvestDefinition): Part[] {
  const [one, other] = [inFull(before), inFull(after)]
  return names.filter((name) => !isDeepStrictEqual(one[name], other[name]))
}

/** What is as usual may be said or left out. */
function inFull(definition: HarvestDefinition): HarvestDefinition {
  const { connectors = usualConnectors, recheck = recheckOnce } = definition
  return { ...definition, connectors, recheck }
}

export function isFromBeginning(changed: readonly Part[]): boolean {
  return changed.some((name) => parts[name].fromBeginning)
}

/** What a run that is under way cannot take, each with its why. */
export function fixedInRun(before: HarvestDefinition, after: HarvestDefinition): string[] {
  const fixed = changedParts(before, after).flatMap((name) => {
    const why = parts[name].fixedInRun?.(before, after)
    return why === undefined ? [] : [`${parts[name].words} (${why})`]
  })
  return [...new Set(fixed)]
}

export function wordsOf(changed: readonly Part[]): string {
  return [...new Set(changed.map((name) => parts[name].words))].join(', ')
}
