/** The verbs `loupe plan run|stop`. */
import { Fault } from '../../../contract/calls/faults.ts'
import type { DeliveryPlanRow } from '../../../contract/services/deliveries.ts'
import { isTerminalDelivery, type DeliveryState } from '../../../contract/states/deliveryStates.ts'
import { textFor } from '../../../contract/words/render.ts'
import type { Command, ExitCode } from '../session/command.ts'
import type { Session } from '../session/session.ts'
import { followed } from './following.ts'
import { planInput, reportStatus, type PlanVersionOption } from './plans.ts'

interface PlanRunOptions extends PlanVersionOption {
  once?: boolean
}

export async function runPlan(
  command: Command,
  name: string,
  { once = false, ...option }: PlanRunOptions,
): Promise<ExitCode> {
  const one = planInput(name, option)
  if (once) return command.withSession('works', async (session) => runOnce(command, session, one))
  return command.withSession('looks', async ({ services, own }) => {
    const row = await services.deliveries.run(one)
    const told = { name: row.name, version: row.version }
    command.output.result(row, () =>
      own
        ? textFor('cli.plan.noEngine', told)
        : textFor(row.run === 'running' ? 'cli.plan.running' : 'cli.plan.waiting', told),
    )
    return 0
  })
}

/** Runs a plan until every document is settled, and prints the counts. A run that fails ends the command: a restart goes on from there. */
async function runOnce(command: Command, session: Session, one: { name: string; version?: number }): Promise<ExitCode> {
  const { deliveries } = session.services
  const begun = await deliveries.run({ ...one, isOnce: true })
  const { name, version } = begun
  const ended = await followed<DeliveryPlanRow, Record<string, never>>(command, {
    begun,
    isRunning: ({ run, problem }) => run !== 'stopped' && problem === null,
    listen: deliveries.changed,
    isSame: () => true,
    query: () => deliveries.show({ name, version }),
    stop: () => deliveries.stop({ name }),
    progressText: ({ counts }) => progressText(counts),
  })
  if (ended.problem !== null) {
    await deliveries.stop({ name })
    throw new Fault('refused', ended.problem)
  }
  const code = await reportStatus(command, session, { name, version })
  return command.signal.aborted ? 130 : code
}

function progressText(counts: DeliveryPlanRow['counts']): string {
  const { ERROR_DOC = 0, DEAD = 0 } = counts
  const all = Object.entries(counts) as [DeliveryState, number][]
  const sum = (of: typeof all) => of.reduce((total, [, count]) => total + count, 0)
  const settled = sum(all.filter(([state]) => isTerminalDelivery(state)))
  return textFor('cli.plan.progress', { settled, waiting: sum(all) - settled, failed: ERROR_DOC + DEAD })
}

export async function stopPlan(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const row = await services.deliveries.stop({ name })
    command.output.result(row, () => textFor('cli.plan.stopped', { name: row.name }))
    return 0
  })
}
