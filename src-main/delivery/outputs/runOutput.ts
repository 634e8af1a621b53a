/** Runs one output: its documents as a plan of its own, and the notices that jobs have ended. There is no shutdown code: a stop and a kill
 *  leave the same state. */
import { outputSettings, type OutputStep } from '../../contract/services/outputs.ts'
import { outputSteps } from '../../contract/shapes/choices.ts'
import type { Message } from '../../contract/words/message.ts'
import { loadConnector } from './connectors.ts'
import type { Destination, StepEnvironment } from '../model/steps.ts'
import { openPlans } from '../plan/plans.ts'
import { runPlan, type DeliveryReport } from '../run/runPlan.ts'
import { tellOfEnds } from './notices.ts'
import { openedKind, type OpenedOutput } from './openedOutput.ts'
import { outputPlan, outputStepKinds, transformationVersionOf } from './outputPlan.ts'
import { outputScanner } from './outputScanner.ts'
import type { OutputDbRow } from './outputs.sql.ts'

/** What an output reports while it runs. */
export type OutputReport =
  | DeliveryReport
  /** It could not be told that a job has ended. */
  | { kind: 'notTold'; job: number; why: Message }

/** Pauses after failures. */
export interface OutputPauses {
  /** Before a failed document is sent again. */
  documentMs: number
  /** Before a notice that has failed is repeated. */
  noticeMs: number
}

/** Five minutes, as ManifoldCF waits for a server that does not answer; a notice holds up the end of a job. */
export const usualPauses: OutputPauses = { documentMs: 300_000, noticeMs: 10_000 }

interface OutputRun {
  environment: StepEnvironment
  /** Folders of the archive and of its replicas, from which no code is run. */
  archiveFolders: readonly string[]
  row: OutputDbRow
  pauses: OutputPauses
  /** Wraps what is sent to; tests see there what leaves. */
  through?: (destination: Destination) => Destination
  onReport(report: OutputReport): void
  signal: AbortSignal
}

/** Opens an output. Returns what is wrong where it cannot be used. */
export async function openOutput(
  environment: StepEnvironment,
  { settings }: Pick<OutputDbRow, 'settings'>,
  archiveFolders: readonly string[],
): Promise<OpenedOutput | { problem: Message }> {
  const read = outputSettings.parse(JSON.parse(settings))
  return read.connector === 'module'
    ? loadConnector(environment, { ...read, archiveFolders })
    : openedKind(read, environment)
}

/** Runs until the signal is aborted. Returns what is wrong where the output cannot be used. Rejects with bugs, and with `StorageFault`: a
 *  restart goes on from there. */
export async function runOutput({
  environment,
  row,
  pauses,
  signal,
  ...setting
}: OutputRun): Promise<Message | undefined> {
  const { store, world } = environment
  const opened = await openOutput(environment, row, setting.archiveFolders)
  if ('problem' in opened) return opened.problem
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const destination = setting.through?.(opened.destination) ?? opened.destination
  const steps = stepsOf(row)
  const scanner = outputScanner({
    ...{ environment, opened },
    output: { ...row, revision: String(row.reingests), transformationVersion: transformationVersionOf(steps) },
  })
  const kinds = outputStepKinds({
    ...{ output: row.id, opened: { ...opened, destination }, scanner, requestsMax: row.requestsMax },
  })
  const plan = outputPlan({ name: row.name, steps, retryDelayMs: pauses.documentMs })
  const version = { id: row.plan, version: 1, plan, createdMs: 0, isComplete: true }
  const scanners = openPlans({ store, clock: world.clock, kinds }).scanners(version)
  try {
    await Promise.race([
      runPlan({ environment, kinds, version, scanners, onReport: setting.onReport, signal: until }),
      tellOfEnds({
        ...{ store, clock: world.clock, output: row.id, destination, retryDelayMs: pauses.noticeMs, signal: until },
        onGivenUp: (job, why) => setting.onReport({ kind: 'notTold', job, why }),
      }),
    ])
    return undefined
  } finally {
    over.abort(new Error('the output has ended'))
    await opened.close?.()
  }
}

/** Returns the processors of an output. */
export function stepsOf({ steps }: Pick<OutputDbRow, 'steps'>): OutputStep[] {
  const names = JSON.parse(steps) as string[]
  return outputSteps.filter((step) => names.includes(step))
}
