/** Connections: connectors with their settings, a bound and throttles under a name, which jobs share. They are ManifoldCF's repository and
 *  output connections. */
import { z } from 'zod'
import { call, event } from '../calls/service.ts'
import { refusedAs } from '../calls/refusedValue.ts'
import { connectionKinds, outputNames } from '../shapes/choices.ts'
import { commentsShape, nameShape } from '../shapes/names.ts'
import { patternIssue, patternProblem } from '../shapes/pattern.ts'
import { count, jobId, messageShape, nothing } from '../shapes/shapes.ts'
import { throttleRule, throttleRulesMax } from '../shapes/throttle.ts'
import { jobStatuses } from '../states/jobStatuses.ts'
import { message } from '../words/message.ts'
import { repositorySettings } from './connectors.ts'

export type ConnectionKind = (typeof connectionKinds)[number]

/** How many uses of a connection may be in progress at once: documents that are being fetched, or jobs that are writing captures. */
const connectionsMax = z.int().min(1).max(1_000)
/** ManifoldCF's default. */
export const connectionsMaxUsual = 10

/** Throttles of a connection as stored. A pattern is in one throttle only, as in ManifoldCF. */
const storedThrottles = z
  .array(throttleRule)
  .max(throttleRulesMax)
  .superRefine((throttles, { addIssue }) => {
    throttles.forEach(({ match }, at) => {
      if (throttles.findIndex((other) => other.match === match) === at) return
      addIssue({ code: 'custom', path: [at, 'match'], ...refusedAs((field) => message('value.repeated', { field })) })
    })
  })

/** Throttles with checked patterns. */
const throttles = storedThrottles.superRefine((rules, { addIssue }) => {
  rules.forEach(({ match }, at) => {
    const problem = patternProblem(match)
    if (problem !== null) addIssue({ ...patternIssue(problem), path: [at, 'match'] })
  })
})

/** Shape of an output connector. */
export const outputSettings = z.strictObject({ connector: z.enum(outputNames).default('archive') })

const inputParts = {
  name: nameShape,
  description: commentsShape.default(''),
  connectionsMax: connectionsMax.default(connectionsMaxUsual),
}

/** What a user gives a repository connection. */
const repositoryInput = z.strictObject({
  ...inputParts,
  kind: z.literal('repository'),
  settings: repositorySettings.default({ connector: 'web' }),
  /** Limits per bin, which on the Web is a host, for the jobs of this connection together. */
  throttles: throttles.default([]),
})
const outputInput = z.strictObject({
  ...inputParts,
  kind: z.literal('output'),
  settings: outputSettings.default({ connector: 'archive' }),
})

/** What a user gives a connection. */
export const connectionInput = z.discriminatedUnion('kind', [repositoryInput, outputInput])
export type ConnectionInput = z.output<typeof connectionInput>

/** What of a connection is changed; absent: it stays. Name, kind and connector never change. */
export const connectionChange = z.strictObject({
  description: commentsShape.optional(),
  /** With the connector that the connection has. */
  settings: z.union([repositorySettings, outputSettings]).optional(),
  connectionsMax: connectionsMax.optional(),
  throttles: throttles.optional(),
})
export type ConnectionChange = z.output<typeof connectionChange>

/** A repository connection as stored. Patterns of its throttles may be invalid: an earlier Loupe may have accepted them. */
const storedRepository = repositoryInput.extend({ throttles: storedThrottles })

/** Shape of a connection in the metadata file of a job that uses it. */
export const recordedConnection = z.discriminatedUnion('kind', [storedRepository, outputInput])
export type RecordedConnection = z.output<typeof recordedConnection>

const shownParts = {
  /** Name of its connector. */
  title: messageShape,
  /** Number of jobs that use it. */
  jobs: count,
}

/** Shape of a connection as it is listed. */
export const connectionRow = z.discriminatedUnion('kind', [
  storedRepository.extend(shownParts),
  outputInput.extend(shownParts),
])
export type ConnectionRow = z.output<typeof connectionRow>

/** A job that uses a connection. */
const jobOfConnection = z.object({ job: jobId, name: z.string(), status: z.enum(jobStatuses) })
export type JobOfConnection = z.output<typeof jobOfConnection>

/** Result of checking a connection: whether it can be used, and "Connection working" or what is wrong and what to do. */
const connectionCheck = z.object({ isWorking: z.boolean(), status: messageShape })
export type ConnectionCheck = z.output<typeof connectionCheck>

const named = z.strictObject({ name: nameShape })

export const connectionCalls = {
  /** Lists all connections by name, or those of one kind. */
  list: call(z.strictObject({ kind: z.enum(connectionKinds).optional() }), z.array(connectionRow)),
  show: call(named, connectionRow),
  add: call(connectionInput, connectionRow),
  /**
   * Changes a connection. Jobs that are running continue with it at their next document; changed settings make the next run of each of its
   * jobs check everything.
   */
  edit: call(z.strictObject({ name: nameShape, change: connectionChange }), connectionRow),
  /** Removes a connection. Refused while a job or a template uses it, with their names. */
  remove: call(named, nothing),
  /** Checks whether a connection can be used now. */
  check: call(named, connectionCheck),
  /** Lists jobs that use a connection, newest first. */
  jobs: call(z.strictObject({ name: nameShape, limit: z.int().min(1).max(1_000) }), z.array(jobOfConnection)),
  /** A connection was added, changed or removed. */
  changed: event(named),
} as const
