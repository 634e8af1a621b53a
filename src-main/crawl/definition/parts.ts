/** Effects of changing each part of a definition: whether the next run checks the job's list from its beginning, and whether
 *  a run in progress accepts the change. One table covers all parts, so that a new part cannot be forgotten. */
import { isDeepStrictEqual } from 'node:util'
import { usualConnectors } from '../../contract/services/connectors.ts'
import type { FixedField } from '../../contract/services/jobDetails.ts'
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import type { FieldPath } from '../../contract/calls/faults.ts'
import { recheckOnce } from '../../contract/shapes/recrawl.ts'
import { hopLimitsOf } from '../model/hopMeasures.ts'

/** A part of a definition. The schedule is excluded: it does not affect what a run does. */
type Part = Exclude<keyof HarvestDefinition, 'schedule'>

interface PartRow {
  /** Name of the part in a sentence. */
  words: string
  /** Whether the next run, even a minimal one, checks every URL: the job's list may be wrong under the new definition. */
  fromBeginning: boolean
  /** Restrictions while a run is in progress; absent if a run accepts any change of the part. */
  fixedInRun?: FixedInRun
}

interface FixedInRun {
  /** Why a run in progress cannot accept a change. */
  why: string
  /** The field of the part that is fixed; absent if the whole part is. */
  field?: FieldPath
  /** Whether the part is fixed in a run with this definition; absent if always. */
  isFixed?: (before: HarvestDefinition) => boolean
  /** Whether a difference between two definitions concerns the fixed field; absent if it always does. */
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
  // A limit that was reached before left out every URL found after it.
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

/** Lists the parts that differ between two definitions. */
export function changedParts(before: HarvestDefinition, after: HarvestDefinition): Part[] {
  const [one, other] = [inFull(before), inFull(after)]
  return names.filter((name) => !isDeepStrictEqual(one[name], other[name]))
}

/** Fills in the default values, so that an explicit default equals an omitted one. */
function inFull(definition: HarvestDefinition): HarvestDefinition {
  const { connectors = usualConnectors, recheck = recheckOnce } = definition
  return { ...definition, connectors, recheck }
}

/** Tells whether the next run must check every URL after these changes. */
export function isFromBeginning(changed: readonly Part[]): boolean {
  return changed.some((name) => parts[name].fromBeginning)
}

/** Lists the fields that cannot be changed while a run with this definition is in progress, each with the reason. */
export function fixedFields(before: HarvestDefinition): FixedField[] {
  return names.flatMap((name) => {
    const fixed = fixedWith(name, before)
    return fixed ? [{ field: [...(fixed.field ?? [name])], why: fixed.why }] : []
  })
}

/** Lists the parts of a change that a run in progress cannot accept, as words and as fields. */
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

/** Lists the parts in words, each once, for a sentence. */
export function wordsOf(changed: readonly Part[]): string {
  return [...new Set(changed.map((name) => parts[name].words))].join(', ')
}
