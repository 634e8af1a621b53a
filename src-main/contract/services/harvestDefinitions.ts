/** Harvest definitions: what an institution harvests, when, and within which limits. Each generates jobs (`generatedJobs.ts`); the
 *  semantics are NetarchiveSuite's selective, event and snapshot harvests. */
import { z } from 'zod'
import { call, event } from '../calls/service.ts'
import { count, jobId, messageShape, nothing, page, time } from '../shapes/shapes.ts'
import { generatedStatuses } from '../states/generatedStatuses.ts'

/**
 * `selective`: chosen configurations, by a schedule. `event`: seeds that users paste, once for each activation. `snapshot`: the default
 * configuration of every domain, once.
 */
export const harvestKinds = ['selective', 'event', 'snapshot'] as const
export type HarvestKind = (typeof harvestKinds)[number]

const harvestName = z.string().trim().min(1).max(200)
const longText = z.string().max(10_000).default('')
/** A limit that may be absent; 0 harvests nothing. */
const limit = z.int().min(0).nullable().default(null)
const fieldValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({})

/** A configuration by the name of its domain and its own. */
export const configurationName = z.strictObject({
  domain: z.string().trim().min(1),
  configuration: z.string().trim().min(1).default('default'),
})
export type ConfigurationName = z.output<typeof configurationName>

/** Configurations in one harvest: a snapshot is for all domains. */
const configurationsMax = 100_000

/** What a user gives a harvest. */
export const harvestInput = z.strictObject({
  name: harvestName,
  kind: z.enum(harvestKinds),
  comments: longText,
  audience: longText,
  /** Name of the schedule of a selective harvest. */
  schedule: z.string().nullable().default(null),
  /** Per domain. */
  objectsMax: limit,
  /** Per domain. */
  bytesMax: limit,
  /** Per job. */
  secondsMax: limit,
  /** Name of the snapshot that this one continues: domains that it completed are left out. */
  previous: z.string().nullable().default(null),
  /** Queue of the jobs; null: the channel of the kind. */
  channel: z.string().trim().min(1).max(100).nullable().default(null),
  /** Priority of the jobs in the queue of documents: 1 is the highest. */
  priority: z.int().min(1).max(10).default(5),
  fields: fieldValues,
  configurations: z.array(configurationName).max(configurationsMax).default([]),
})
export type HarvestInput = z.output<typeof harvestInput>

const harvestId = z.int().min(1)

/** Shape of a harvest as it is listed. */
export const harvestRow = z.object({
  harvest: harvestId,
  ...harvestInput.omit({ configurations: true, channel: true }).shape,
  channel: z.string(),
  isActive: z.boolean(),
  configurations: count,
  /** Generations so far. */
  runs: count,
  nextRun: time.nullable(),
  /** Whether jobs are being generated now. */
  isGenerating: z.boolean(),
  /** Why the harvest was deactivated, or is postponed; null: there is no problem. */
  problem: messageShape.nullable(),
  /** Jobs by status. */
  jobs: z.partialRecord(z.enum(generatedStatuses), count),
  created: time,
})
export type HarvestRow = z.output<typeof harvestRow>

/** What became of one generation of a harvest. */
export const harvestRun = z.object({
  run: z.int().min(1),
  generated: time,
  jobs: z.partialRecord(z.enum(generatedStatuses), count),
  configurations: count,
  objectsExpected: count,
  objects: count,
  bytes: count,
  /** End of the last job; null while there are jobs to come. */
  ended: time.nullable(),
})
export type HarvestRun = z.output<typeof harvestRun>

const one = z.strictObject({ harvest: harvestId })

/** What a paste of seeds has added. */
const seedsAdded = z.object({
  configurations: count,
  domainsNew: count,
  seeds: count,
  /** Lines that are no URL. */
  refused: z.array(z.object({ line: z.int().min(1), problem: messageShape })),
})
export type SeedsAdded = z.output<typeof seedsAdded>

/** Characters of a paste. */
const seedCharactersMax = 20_000_000

export const harvestDefinitionCalls = {
  list: call(
    z.strictObject({
      kind: z.enum(harvestKinds).optional(),
      active: z.boolean().optional(),
      text: z.string().optional(),
    }),
    z.array(harvestRow),
  ),
  show: call(one, harvestRow),
  configurations: call(
    z.strictObject({ harvest: harvestId, ...page }),
    z.object({ rows: z.array(configurationName), total: count }),
  ),
  add: call(harvestInput, harvestRow),
  /** Changes a harvest. Jobs that exist keep their definitions; the priority applies to them too. */
  edit: call(z.strictObject({ harvest: harvestId, definition: harvestInput }), harvestRow),
  /** Refused while it has jobs: they name it. */
  remove: call(one, nothing),
  /** Plans its next run. */
  activate: call(one, harvestRow),
  deactivate: call(one, harvestRow),
  /** Generates the jobs of a run now, whatever the schedule says; later runs keep their times. Resolves when they are generated. */
  run: call(one, z.object({ harvest: harvestId, run: z.int().min(1), jobs: z.array(jobId) })),
  /** Adds seeds to an event harvest: each domain gets a configuration and a seed list with the name of the harvest. */
  addSeeds: call(
    z.strictObject({
      harvest: harvestId,
      /** One URL per line; lines that begin with # are comments. */
      text: z.string().max(seedCharactersMax),
      template: z.string().default('default'),
      objectsMax: limit,
      bytesMax: limit,
    }),
    seedsAdded,
  ),
  /** Newest first. */
  runs: call(z.strictObject({ harvest: harvestId, ...page }), z.object({ rows: z.array(harvestRun), total: count })),
  changed: event(harvestRow),
} as const
