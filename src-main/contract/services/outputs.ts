/** Output connections: where the documents of jobs go after they were captured. A document goes there when it is new or has changed, and is
 *  removed there when it leaves all jobs of the output. They are ManifoldCF's output connections; the archive is none of them. */
import { z } from 'zod'
import { call, event } from '../calls/service.ts'
import { folderSettings, openSearchSettings, solrSettings, webhookSettings } from '../shapes/destinations.ts'
import { commentsShape } from '../shapes/names.ts'
import { outputNameShape } from '../shapes/outputChoice.ts'
import { count, jobId, messageShape, nothing } from '../shapes/shapes.ts'
import { deliveryStates } from '../states/deliveryStates.ts'
import { outputConnectorStates, outputNoticeKinds, outputNoticeStates } from '../states/outputStates.ts'
import { outputSteps } from '../shapes/choices.ts'

export type OutputStep = (typeof outputSteps)[number]

/** Shape of the connector of an output with its settings. */
export const outputSettings = z.discriminatedUnion('connector', [
  solrSettings.extend({ connector: z.literal('solr') }),
  openSearchSettings.extend({ connector: z.literal('openSearch') }),
  webhookSettings.extend({ connector: z.literal('webhook') }),
  folderSettings.extend({ connector: z.literal('folder') }),
  z.strictObject({
    connector: z.literal('module'),
    /** Name of the connector of the user. */
    name: outputNameShape,
    settings: z.record(z.string().min(1).max(200), z.string().max(10_000)).default({}),
  }),
])
export type OutputSettings = z.output<typeof outputSettings>

const steps = z.array(z.enum(outputSteps)).max(outputSteps.length)
const requestsMax = z.int().min(1).max(100)
/** Requests at once where a connection does not say. */
export const outputRequestsUsual = 2

/** What a user gives an output connection. */
export const outputInput = z.strictObject({
  name: outputNameShape,
  description: commentsShape.default(''),
  settings: outputSettings,
  /** Processors that documents go through. */
  steps: steps.default(['title', 'text']),
  requestsMax: requestsMax.default(outputRequestsUsual),
})
export type OutputInput = z.output<typeof outputInput>

/** What of an output connection is changed; absent: it stays. Name and connector never change. */
export const outputChange = z.strictObject({
  description: commentsShape.optional(),
  settings: outputSettings.optional(),
  steps: steps.optional(),
  requestsMax: requestsMax.optional(),
})
export type OutputChange = z.output<typeof outputChange>

/** Documents of an output, or of one job at an output. */
export const outputCounts = z.object({
  delivered: count,
  /** On their way, to be removed, or to be sent again after an error. */
  waiting: count,
  /** Given up, or refused by the output. */
  failed: count,
  removed: count,
  /** The output does not take them: their media type or length. */
  notTaken: count,
})
export type OutputCounts = z.output<typeof outputCounts>

/** Shape of an output connection as it is listed. */
export const outputRow = outputInput.extend({
  /** Number of its destination for `deliveries.documents`. */
  destination: z.int().min(1),
  /** Why nothing is delivered now, and what to do; null: it can. */
  problem: messageShape.nullable(),
  /** Jobs that deliver to it. */
  jobs: count,
  counts: outputCounts,
  /** URLs that have changed and were not looked at yet. */
  pending: count,
})
export type OutputRow = z.output<typeof outputRow>

/** An output of a job, with the newest notice that the job has ended. */
export const outputOfJob = z.object({
  output: outputNameShape,
  destination: z.int().min(1),
  counts: outputCounts,
  notice: z
    .object({
      kind: z.enum(outputNoticeKinds),
      state: z.enum(outputNoticeStates.states),
      message: messageShape.nullable(),
    })
    .nullable(),
})
export type OutputOfJob = z.output<typeof outputOfJob>

/** Shape of a connector of the user. */
export const outputConnectorRow = z.object({
  name: outputNameShape,
  module: z.string(),
  /** As its module declared it when it was installed last; null: it never was. */
  version: z.string().nullable(),
  state: z.enum(outputConnectorStates.states),
  problem: messageShape.nullable(),
  /** Output connections that use it. */
  outputs: count,
})
export type OutputConnectorRow = z.output<typeof outputConnectorRow>

const outputCheck = z.object({ isWorking: z.boolean(), status: messageShape })
export type OutputCheck = z.output<typeof outputCheck>

/** What is known of a URL at an output. Versions are only compared. */
export const outputDocument = z.object({
  job: jobId,
  content: z.enum(['sent', 'none', 'removed']),
  /** State of its last delivery; null: it was never sent. */
  state: z.enum(deliveryStates.states).nullable(),
  version: z.string().nullable(),
  outputVersion: z.string().nullable(),
  transformationVersion: z.string().nullable(),
  first: z.iso.datetime(),
  last: z.iso.datetime(),
  checked: z.iso.datetime(),
  changes: count,
})
export type OutputDocument = z.output<typeof outputDocument>

const named = z.strictObject({ name: outputNameShape })

export const outputCalls = {
  /** Lists the output connections by name. */
  list: call(nothing, z.array(outputRow)),
  show: call(named, outputRow),
  add: call(outputInput, outputRow),
  /** Changes an output connection. What it has is compared again, and sent where its version differs. */
  edit: call(z.strictObject({ name: outputNameShape, change: outputChange }), outputRow),
  /** Removes an output connection with all that is known of its documents. Refused while a job or a template names it. */
  remove: call(named, nothing),
  /** Checks whether the output can be used now; sends no document. */
  check: call(named, outputCheck),
  /** Sends all documents again, such as after its index was lost. */
  reingest: call(named, outputRow),
  /** Sends documents again that were given up or refused. Returns how many. */
  retry: call(named, z.object({ retried: count })),
  /** What is known of a URL at an output; null: nothing. */
  document: call(z.strictObject({ name: outputNameShape, url: z.string().min(1) }), outputDocument.nullable()),
  /** The outputs of a job. */
  ofJob: call(z.strictObject({ job: jobId }), z.array(outputOfJob)),
  /** Lists the connectors of the user. */
  connectors: call(nothing, z.array(outputConnectorRow)),
  /** Registers a module as a connector, or again with another path or version, and installs it. */
  register: call(
    z.strictObject({ name: outputNameShape, module: z.string().trim().min(1).max(4_096) }),
    outputConnectorRow,
  ),
  /** Deinstalls a connector of the user. Jobs that deliver through it wait until it is registered again. */
  deregister: call(named, nothing),
  /** An output connection, its documents or a connector of the user have changed. */
  changed: event(nothing),
} as const
