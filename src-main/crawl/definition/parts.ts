/** What a change of each part of a definition means: whether the list of the job is looked at from its beginning for it, and
 *  whether a run that is under way can take it. One table over all parts, so that a new part cannot be forgotten. */
import { isDeepStrictEqual } from 'node:util'
import { usualConnectors } from '../../contract/services/connectors.ts'
import type { FixedField, HarvestDefinition } from '../../contract/contract.ts'
import type { FieldPath } from '../../contract/calls/faults.ts'
import { recheckOnce } from '../../contract/shapes/recrawl.ts'
import { hopLimitsOf } from '../model/hopMeasures.ts'

/** The schedule is not here: it is no part of what a run does. */
type Part = Exclude<keyof HarvestDefinition, 'schedule'>

interface PartRow {
  /** As a sentence names it. */
  words: string
  /** The next run looks at everything, also a minimal one: what the list says may be wrong by the new definition. */
  fromBeginning: boolean
  /** Absent: a run that is under way takes any change of it. */
  fixedInRun?: FixedInRun
}

interface FixedInRun {
  /** Why a run that is under way cannot take a change of it. */
  why: string
  /** What of the part is fixed; absent: all of it. */
  field?: FieldPath
  /** Whether it is fixed in a run with this definition; absent: in each. */
  isFixed?: (before: HarvestDefinition) => boolean
  /** Of a part that differs: whether the difference is in what is fixed; absent: it is. */
  isTouched?: (before: HarvestDefinition, after: HarvestDefinition) => boolean
}

const hopsRow: PartRow = {
  words: 'the link depth limits',
  fromBeginning: true,
  fixedInRun: {
    why: 'this run did not track link depth from its start',
    isFixed: (before) => hopLimitsOf(before) === undefined,
  },
}

const parts: Record<Part, PartRow> = {
  seeds: { words: 'the seeds', fromBeginning: true },
  name: { words: 'the name', fromBeginning: false },
  scope: { words: 'the scope', fromBeginning: true },
  maxHops: hopsRow,
  hops: hopsRow,
  // A limit that was met before left out what lay behind it.
  maxObjects: { words: 'the maximum number of URLs', fromBeginning: true },
  maxBytes: { words: 'the maximum size', fromBeginning: true },
  maxSeconds: { words: 'the maximum duration', fromBeginning: true },
  workers: { words: 'the workers', fromBeginning: false },
  delayMs: { words: 'the delay', fromBeginning: false },
  connectionsPerHost: { words: 'the connections per host', fromBeginning: false },
  throttle: { words: 'the throttle rules', fromBeginning: false },
  robots: {
    words: 'whether robots.txt is obeyed',
    fromBeginning: true,
    fixedInRun: { why: 'the run has already visited hosts under the old rule' },
  },
  include: { words: 'the include patterns', fromBeginning: true },
  exclude: { words: 'the exclude patterns', fromBeginning: true },
  userAgent: { words: 'the user agent', fromBeginning: true },
  resolve: { words: 'the addresses of hosts', fromBeginning: true },
  recheck: {
    words: 'how URLs are rechecked',
    fromBeginning: false,
    fixedInRun: {
      why: 'the run has already scheduled rechecks under the old rule',
      field: ['recheck', 'type'],
      isTouched: (before, after) => (before.recheck ?? recheckOnce).type !== (after.recheck ?? recheckOnce).type,
    },
  },
  connectors: {
    words: 'the source and the output',
    fromBeginning: true,
    fixedInRun: { why: 'a run has one source and one output' },
  },
  login: {
    words: 'the login',
    fromBeginning: true,
    fixedInRun: { why: 'queued pages wait for the login in progress' },
  },
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

/** The fields that cannot be changed while a run with this definition is under way, each with its why. */
export function fixedFields(before: HarvestDefinition): FixedField[] {
  return names.flatMap((name) => {
    const fixed = fixedWith(name, before)
    return fixed ? [{ field: [...(fixed.field ?? [name])], why: fixed.why }] : []
  })
}

/** Of a change: what a run that is under way cannot take, in words and as fields. */
export function refusedInRun(
  before: HarvestDefinition,
  after: HarvestDefinition,
): { words: string[]; fields: FieldPath[] } {
  const refused = changedParts(before, after).flatMap((name) => {
    const fixed = fixedWith(name, before)
    if (!fixed || fixed.isTouched?.(before, after) === false) return []
    return [{ words: `${parts[name].words} (${fixed.why})`, field: fixed.field ?? [name] }]
  })
  return { words: [...new Set(refused.map(({ words }) => words))], fields: refused.map(({ field }) => field) }
}

function fixedWith(name: Part, before: HarvestDefinition): FixedInRun | undefined {
  const { fixedInRun } = parts[name]
  return fixedInRun?.isFixed?.(before) === false ? undefined : fixedInRun
}

export function wordsOf(changed: readonly Part[]): string {
  return [...new Set(changed.map((name) => parts[name].words))].join(', ')
}
