/** Runs all outputs of an archive that can be used, each until it is changed or removed. An output that ends with an error is begun again
 *  after a pause, and holds up no other. */
import { messageOf } from '../../contract/text/messageOf.ts'
import { message, storedMessage, type Message } from '../../contract/words/message.ts'
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { StepEnvironment } from '../model/steps.ts'
import { outputStatements, type OutputDbRow } from './outputs.sql.ts'
import { runOutput, type OutputPauses, type OutputReport } from './runOutput.ts'

/** Time between two looks for outputs that were added, changed or removed. */
const lookMs = 500
/** Pause before an output that ended with an error is begun again. */
const restartMs = 5_000

interface OutputsRun {
  environment: StepEnvironment
  archiveFolders: readonly string[]
  pauses: OutputPauses
  onReport(output: string, report: OutputReport): void
  signal: AbortSignal
}

interface Running {
  revision: number
  stop: AbortController
  ended: Promise<void>
}

/** Runs until the signal is aborted. */
export async function runOutputs(setting: OutputsRun): Promise<void> {
  const { environment, signal } = setting
  const { store, world } = environment
  const sql = outputStatements(store)
  const running = new Map<number, Running>()

  async function work(row: OutputDbRow, stop: AbortSignal): Promise<void> {
    const report = (problem: Message | null) =>
      sql.setProblem.run({ id: row.id, problem: problem === null ? null : storedMessage(problem) })
    report(null)
    while (!stop.aborted) {
      const problem = await attempt(row, stop)
      if (stop.aborted) return
      if (problem) report(problem)
      await sleepUnlessAborted(world.clock, restartMs, stop)
    }
  }

  async function attempt(row: OutputDbRow, stop: AbortSignal): Promise<Message | undefined> {
    try {
      const onReport = (report: OutputReport) => setting.onReport(row.name, report)
      return await runOutput({ ...setting, row, onReport, signal: stop })
    } catch (error) {
      // A bug, or a fault of the database: other outputs go on, and people see it at this one.
      return message('problem.delivering', { problem: messageOf(error) })
    }
  }

  function begin(row: OutputDbRow): void {
    const stop = new AbortController()
    const run: Running = { revision: row.revision, stop, ended: Promise.resolve() }
    running.set(row.id, run)
    run.ended = work(row, AbortSignal.any([signal, stop.signal])).finally(() => running.delete(row.id))
  }

  while (!signal.aborted) {
    const rows = new Map(sql.all.all({}).flatMap((row) => (row.isInstalled === 1 ? [[row.id, row] as const] : [])))
    for (const [id, run] of running)
      if (rows.get(id)?.revision !== run.revision) run.stop.abort(new Error('the output has changed'))
    for (const row of rows.values()) if (!running.has(row.id)) begin(row)
    await sleepUnlessAborted(world.clock, lookMs, signal)
  }
  await Promise.all([...running.values()].map(({ ended }) => ended))
}
