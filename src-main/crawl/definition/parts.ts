/** Effects of changing each part of a definition: whether the next run checks the job's list from its beginning, and whether
 *  a run in progress accepts the change. One table covers all parts, so that a new part cannot be forgotten. */
import { isDeepStrictEqual } from 'node:util'
import { listed } from '../../contract/words/joined.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { usualConnectors } from '../../contract/services/connectors.ts'
import type { FixedField } from '../../contract/services/jobDetails.ts'
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import type { FieldPath } from '../../contract/calls/faults.ts'
import { usualDeduplication } from '../../contract/shapes/deduplication.ts'
import { recheckOnce } from '../../contract/shapes/recheck.ts'
import { hopLimitsOf } from '../model/hopMeasures.ts'

/** A part of a definition. The schedule is excluded: it does not affect what a run does. */
type Part = Exclude<keyof HarvestDefinition, 'schedule'>

interface PartRow {
  /** Whether the next run, even a minimal one, checks every URL: the job's list may be wrong under the new definition. */
  fromBeginning: boolean
  /** Restrictions while a run is in progress; absent if a run accepts any change of the part. */
  fixedInRun?: FixedInRun
}

interface FixedInRun {
  /** Why a run in progress cannot accept a change. */
  why: Message
  /** The field of the part that is fixed; absent if the whole part is. */
  field?: FieldPath
  /** Whether the part is fixed in a run with this definition; absent if always. */
  isFixed?: (before: HarvestDefinition) => boolean
  /** Whether a difference between two definitions concerns the fixed field; absent if it always does. */
  isTouched?: (before: HarvestDefinition, after: HarvestDefinition) => boolean
}

const hopsRow: PartRow = {
  fromBeginning: true,
  fixedInRun: {
    why: message('definition.why.hops'),
    isFixed: (before) => hopLimitsOf(before) === undefined,
  },
}

const parts: Record<Part, PartRow> = {
  seeds: { fromBeginning: true },
  name: { fromBeginning: false },
  scope: { fromBeginning: true },
  maxHops: hopsRow,
  hops: hopsRow,
  // A limit that was reached before left out every URL found after it.
  maxObjects: { fromBeginning: true },
  maxBytes: { fromBeginning: true },
  maxSeconds: { fromBeginning: true },
  maxNoResponseSeconds: { fromBeginning: true },
  maxInactiveSeconds: { fromBeginning: true },
  workers: { fromBeginning: false },
  delayMs: { fromBeginning: false },
  connectionsPerHost: { fromBeginning: false },
  order: { fromBeginning: false, fixedInRun: { why: message('definition.why.order') } },
  throttle: { fromBeginning: false },
  robots: {
    fromBeginning: true,
    fixedInRun: { why: message('definition.why.robots') },
  },
  include: { fromBeginning: true },
  exclude: { fromBeginning: true },
  domains: { fromBeginning: true },
  userAgent: { fromBeginning: true },
  resolve: { fromBeginning: true },
  recheck: {
    fromBeginning: false,
    fixedInRun: {
      why: message('definition.why.recheck'),
      field: ['recheck', 'type'],
      isTouched: (before, after) => (before.recheck ?? recheckOnce).type !== (after.recheck ?? recheckOnce).type,
    },
  },
  deduplication: { fromBeginning: false },
  connectors: {
    fromBeginning: true,
    fixedInRun: { why: message('definition.why.connectors') },
  },
  outputs: { fromBeginning: false },
  login: {
    fromBeginning: true,
    fixedInRun: { why: message('definition.why.login') },
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
  const { connectors = usualConnectors, recheck = recheckOnce, domains = {} } = definition
  const { deduplication = usualDeduplication, outputs = [] } = definition
  return { ...definition, connectors, recheck, domains, deduplication, outputs }
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

/** Lists the parts of a change that a run in progress cannot accept, each with its reason, and the fields. */
export function refusedInRun(
  before: HarvestDefinition,
  after: HarvestDefinition,
): { parts: Message[]; fields: FieldPath[] } {
  const refused = changedParts(before, after).flatMap((name) => {
    const fixed = fixedWith(name, before)
    if (!fixed || fixed.isTouched?.(before, after) === false) return []
    return [{ name, why: fixed.why, field: fixed.field ?? [name] }]
  })
  const whyOf = new Map(refused.map(({ name, why }) => [nameOf(name).code, { part: nameOf(name), why }]))
  return {
    parts: [...whyOf.values()].map((values) => message('definition.fixed.part', values)),
    fields: refused.map(({ field }) => field),
  }
}

function fixedWith(name: Part, before: HarvestDefinition): FixedInRun | undefined {
  const { fixedInRun } = parts[name]
  return fixedInRun?.isFixed?.(before) === false ? undefined : fixedInRun
}

/** Lists the parts for a sentence, each once. `changed` must not be empty. */
export function listedParts(changed: readonly Part[]): Message {
  const named = new Map(changed.map((name) => [nameOf(name).code, nameOf(name)]))
  return listed([...named.values()])
}

/** Name of a part in a sentence. The limits on link depth are one part with two fields. */
function nameOf(name: Part): Message {
  return message(`definition.part.${name === 'maxHops' ? 'hops' : name}`)
}
