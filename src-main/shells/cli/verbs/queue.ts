/** The verb `loupe queue`: shows what waits in a job, by host, and changes it while the job runs. */
import { readFile } from 'node:fs/promises'
import { budgetsFrom } from '../../../contract/services/budgetLines.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import type { Budget, BudgetEffect, Effect, Lift, QueueWhole, Selection } from '../../../contract/services/live.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { bytesText, momentText, table } from '../output/output.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { textFor } from '../../../contract/words/render.ts'

interface Trial {
  dryRun?: true
}

export interface SelectionOptions extends Trial {
  pattern?: string
  host?: string
}

export interface LiftOptions extends SelectionOptions {
  to?: Lift
}

export interface BudgetOptions extends Trial {
  objects?: number
  bytes?: number
  file?: string
}

export async function showQueue(command: Command, job: number, host: string | undefined): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const queue = await services.queue.show({ job, ...(host === undefined ? {} : { host }) })
    command.output.result(queue, () => queueText(queue))
    return 0
  })
}

export async function rejectInQueue(
  command: Command,
  job: number,
  { pattern, remove, dryRun }: Trial & { pattern?: string | undefined; remove?: number },
): Promise<ExitCode> {
  if ((pattern === undefined) === (remove === undefined)) throw new Fault('badInput', message('cli.queue.reject'))
  return command.withSession('looks', async ({ services }) => {
    const done =
      remove !== undefined
        ? await services.queue.unreject({ job, rule: remove })
        : await services.queue.reject({ job, pattern: pattern ?? '', isTrial: dryRun ?? false })
    const code = remove !== undefined ? 'cli.queue.queuedAgain' : dryRun ? 'cli.queue.wouldDrop' : 'cli.queue.dropped'
    command.output.result(done, () => effectText(done, changeOf(code, done)))
    return 0
  })
}

export async function dropFromQueue(command: Command, job: number, options: SelectionOptions): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const done = await services.queue.drop({ job, of: selectionOf(options), isTrial: options.dryRun ?? false })
    command.output.result(done, () =>
      effectText(done, changeOf(options.dryRun ? 'cli.queue.wouldDrop' : 'cli.queue.dropped', done)),
    )
    return 0
  })
}

export async function prioritise(
  command: Command,
  job: number,
  priority: number | undefined,
  options: LiftOptions,
): Promise<ExitCode> {
  if (priority === undefined) return liftInQueue(command, job, options)
  if (options.pattern !== undefined || options.host !== undefined)
    throw new Fault('badInput', message('cli.queue.priority'))
  return command.withSession('looks', async ({ services }) => {
    await services.queue.priority({ job, priority })
    command.output.result({ job, priority }, () => textFor('cli.job.priority', { job, priority }))
    return 0
  })
}

async function liftInQueue(command: Command, job: number, options: LiftOptions): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { to = 'first', dryRun = false } = options
    const done = await services.queue.lift({ job, of: selectionOf(options), to, isTrial: dryRun })
    command.output.result(done, () =>
      [
        effectText(
          { ...done, inProgress: 0 },
          message(dryRun ? 'cli.queue.wouldMove' : 'cli.queue.moved', { count: done.documents, place: to }),
        ),
        ...(done.inProgress > 0 ? [textFor('cli.queue.moving', { count: done.inProgress })] : []),
      ].join('\n'),
    )
    return 0
  })
}

export async function setBudgets(
  command: Command,
  job: number,
  domains: string[],
  { objects, bytes, file, dryRun }: BudgetOptions,
): Promise<ExitCode> {
  const given = domains.map((domain): Budget => ({ domain, objects: objects ?? null, bytes: bytes ?? null }))
  const budgets = [...given, ...(file === undefined ? [] : budgetsFrom(await contentOf(file)))]
  if (budgets.length === 0) throw new Fault('badInput', message('cli.queue.budgets'))
  return command.withSession('looks', async ({ services }) => {
    const done = await services.queue.budgets({ job, budgets, isTrial: dryRun ?? false })
    command.output.result(done, () => budgetsText(done))
    return 0
  })
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Fault('notFound', message('cli.unreadable.budgets', { path: file }), {
      cause: error,
    })
  }
}

function selectionOf({ pattern, host }: SelectionOptions): Selection {
  if (pattern === undefined && host === undefined) throw new Fault('badInput', message('cli.queue.selection'))
  return { ...(pattern === undefined ? {} : { pattern }), ...(host === undefined ? {} : { host }) }
}

type ChangeCode = 'cli.queue.dropped' | 'cli.queue.wouldDrop' | 'cli.queue.queuedAgain'

function changeOf(code: ChangeCode, { documents, inProgress }: Effect): Message {
  return message(code, { count: documents, inProgress })
}

/** Names the effect and its first URLs. */
function effectText({ documents, inProgress, first }: Effect, effect: Message): string {
  const more = documents + inProgress - first.length
  return [
    textFor(first.length > 0 ? 'cli.queue.effectOn' : 'cli.queue.effect', { effect }),
    ...first.map((url) => `  ${url}`),
    ...(more > 0 ? [textFor('cli.queue.more', { count: more })] : []),
  ].join('\n')
}

function budgetsText(effects: readonly BudgetEffect[]): string {
  return table(
    ['domain', '>urls', '>limit', '>bytes', '>limit', '>waiting', '>dropped', '>queuedAgain', '>overLimit'],
    effects.map(({ domain, objects, objectsMax, bytes, bytesMax, waiting, dropped, restored, over }) => [
      domain,
      objects,
      objectsMax ?? '-',
      bytesText(bytes),
      bytesMax === null ? '-' : bytesText(bytesMax),
      waiting,
      dropped,
      restored,
      over ?? '-',
    ]),
  )
}

function queueText(queue: QueueWhole): string {
  const parts = [
    textFor('cli.queue.head', {
      ...{ job: queue.job, priority: queue.priority, urls: queue.waiting + queue.inFlight },
      ...{ waiting: queue.waiting, inProgress: queue.inFlight, doing: queue.doing },
    }),
    table(
      ['host', '>waiting', '>inProgress', '>fetched', '>failed', 'nextDue', 'delayedUntil', '>perMinute'],
      queue.hosts.map(({ host, waiting, inFlight, fetched, failed, nextDue, restingUntil, pace }) => [
        host,
        waiting,
        inFlight,
        fetched,
        failed,
        waiting === 0 ? '-' : momentText(nextDue, textFor('cell.now')),
        momentText(restingUntil, '-'),
        Math.round(pace),
      ]),
    ),
  ]
  if (queue.head.length > 0)
    parts.push(
      table(
        ['next', 'place'],
        queue.head.map(({ url, lift }) => [url, lift]),
      ),
    )
  if (queue.rules.length > 0)
    parts.push(
      table(
        ['>rule', 'pattern', '>rejected'],
        queue.rules.map(({ rule, pattern, problem, rejected }) => [
          rule,
          problem === null ? pattern : textFor('cli.queue.unsupported', { pattern }),
          rejected,
        ]),
      ),
    )
  if (queue.budgets.length > 0)
    parts.push(
      table(
        ['domain', '>urls', '>limit', '>bytes', '>limit', '>excluded'],
        queue.budgets.map(({ domain, objects, objectsMax, bytes, bytesMax, excluded }) => [
          domain,
          objects,
          objectsMax ?? '-',
          bytesText(bytes),
          bytesMax === null ? '-' : bytesText(bytesMax),
          excluded,
        ]),
      ),
    )
  return parts.join('\n\n')
}
