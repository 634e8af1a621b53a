/** The verb `loupe queue`: shows what waits in a job, by host, and changes it while the job runs. */
import { readFile } from 'node:fs/promises'
import { budgetsFrom } from '../../../contract/services/budgetLines.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import type { Budget, BudgetEffect, Effect, Lift, QueueWhole, Selection } from '../../../contract/services/live.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { bytesText, countText, momentText, table } from '../output/output.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

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
    const verb = remove !== undefined ? 'waiting again' : dryRun ? 'would be dropped' : 'dropped'
    command.output.result(done, () => effectText(done, verb))
    return 0
  })
}

export async function dropFromQueue(command: Command, job: number, options: SelectionOptions): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const done = await services.queue.drop({ job, of: selectionOf(options), isTrial: options.dryRun ?? false })
    command.output.result(done, () => effectText(done, options.dryRun ? 'would be dropped' : 'dropped'))
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
    command.output.result({ job, priority }, () => textOf(message('cli.job.priority', { job, priority })))
    return 0
  })
}

async function liftInQueue(command: Command, job: number, options: LiftOptions): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { to = 'first', dryRun = false } = options
    const done = await services.queue.lift({ job, of: selectionOf(options), to, isTrial: dryRun })
    const passed = done.inProgress > 0 ? `\n${done.inProgress} more in hands, whose turn has come already.` : ''
    const moved = { ...done, inProgress: 0 }
    command.output.result(done, () => effectText(moved, `${dryRun ? 'would be ' : ''}put in place "${to}"`) + passed)
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

function effectText({ documents, inProgress, first }: Effect, verb: string): string {
  const more = documents + inProgress - first.length
  return [
    `${countText(documents, 'document')} ${verb}${inProgress > 0 ? `, and ${inProgress} in hands that are not being fetched yet` : ''}${first.length > 0 ? ':' : '.'}`,
    ...first.map((url) => `  ${url}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join('\n')
}

function budgetsText(effects: readonly BudgetEffect[]): string {
  return table(
    ['domain', '>objects', '>of', '>bytes', '>of', '>waiting', '>dropped', '>waiting again', '>too many'],
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
    `Job ${queue.job}, priority ${queue.priority}: ${countText(queue.waiting + queue.inFlight, 'document')} queued (${queue.waiting} waiting, ${queue.inFlight} in progress). ${textOf(queue.doing)}`,
    table(
      ['host', '>waiting', '>in progress', '>fetched', '>failed', 'next due', 'resting until', '>a minute'],
      queue.hosts.map(({ host, waiting, inFlight, fetched, failed, nextDue, restingUntil, pace }) => [
        host,
        waiting,
        inFlight,
        fetched,
        failed,
        waiting === 0 ? '-' : momentText(nextDue, 'now'),
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
        ['>rule', 'rejects', '>kept out'],
        queue.rules.map(({ rule, pattern, problem, rejected }) => [
          rule,
          problem === null ? pattern : `${pattern} (not supported any more)`,
          rejected,
        ]),
      ),
    )
  if (queue.budgets.length > 0)
    parts.push(
      table(
        ['domain', '>objects', '>of', '>bytes', '>of', '>left out'],
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
