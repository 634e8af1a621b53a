/** The verbs `loupe missing list|groups|add|ignore|note|patch|harvest`: what is missing from jobs, and the jobs that mend it. */
import { Fault } from '../../../contract/calls/faults.ts'
import type { Loupe } from '../../../contract/contract.ts'
import {
  missesAtOnceMax,
  type JobMiss,
  type MissFilter,
  type MissGroup,
  type MissOrder,
  type MissRule,
} from '../../../contract/services/misses.ts'
import { missStates, type MissState } from '../../../contract/states/missStates.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { plainText, table } from '../output/output.ts'
import { allRows } from '../session/allRows.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'

/** Options that select misses. */
export interface MissOptions extends Omit<MissFilter, 'jobs' | 'state'> {
  state?: MissState
}

export interface ListOptions extends MissOptions {
  sort?: MissOrder
  descending?: true
}

export interface GroupOptions extends MissOptions {
  by?: MissGroup
}

export interface PatchOptions extends MissOptions {
  ignoreRobots?: true
  later?: true
}

type Listing = Omit<Parameters<Loupe['misses']['list']>[0], 'limit' | 'offset'>

async function allMisses({ misses }: Pick<Loupe, 'misses'>, asked: Listing): Promise<JobMiss[]> {
  return (await allRows((page) => misses.list({ ...asked, ...page }))).rows
}

export async function listMisses(command: Command, jobs: number[], options: ListOptions): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rows = await unlessStopped(command.signal, allMisses(services, { jobs, ...options }))
    const rules = await services.misses.rules({ jobs })
    command.output.result({ misses: rows, rules }, () => listText(rows, rules))
    return rows.some(({ state }) => state === 'OPEN') ? 1 : 0
  })
}

function listText(rows: readonly JobMiss[], rules: readonly MissRule[]): string {
  const listed = rows.map((row) => [
    ...[
      row.id,
      plainText(row.url),
      row.type,
      textOf(missStates.rows[row.state].badge),
      textOf(row.patch?.why ?? row.why),
    ],
    ...[plainText(row.pages[0] ?? ''), plainText(row.note)],
  ])
  const ignored = rules.map(({ rule, job, pattern, misses }) => [rule, job, pattern, misses])
  return [
    rows.length === 0
      ? textFor('cli.missing.none')
      : table(['>number', 'url', 'type', 'state', 'reason', 'wantedBy', 'note'], listed),
    ...(rules.length === 0 ? [] : [table(['>rule', '>job', 'pattern', '>urls'], ignored)]),
  ].join('\n\n')
}

export async function groupMisses(
  command: Command,
  jobs: number[],
  { by = 'host', ...options }: GroupOptions,
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const groups = await unlessStopped(command.signal, services.misses.groups({ jobs, by, ...options }))
    command.output.result(groups, () =>
      groups.length === 0
        ? textFor('cli.missing.none')
        : table(
            ['group', '>urls'],
            groups.map(({ label, misses }) => [plainText(textOf(label)), misses]),
          ),
    )
    return 0
  })
}

export async function addMisses(
  command: Command,
  added: { job: number; urls: string[]; page?: string },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const done = await services.misses.add(added)
    command.output.result(done, () => textFor('cli.missing.added', { count: done.misses, job: added.job }))
    return 0
  })
}

export async function ignoreMisses(
  command: Command,
  job: number,
  { pattern, remove }: { pattern?: string | undefined; remove?: number },
): Promise<ExitCode> {
  if ((pattern === undefined) === (remove === undefined)) throw new Fault('badInput', message('cli.queue.reject'))
  return command.withSession('looks', async ({ services }) => {
    if (remove !== undefined) {
      const done = await services.misses.unignore({ rule: remove })
      command.output.result(done, () => textFor('cli.missing.restored', { count: done.misses }))
      return 0
    }
    const rule = await services.misses.ignore({ job, pattern: pattern ?? '' })
    command.output.result(rule, () => textFor('cli.missing.ignored', { rule: rule.rule, count: rule.misses }))
    return 0
  })
}

export async function noteMisses(
  command: Command,
  { job, note }: { job: number; note: string },
  options: MissOptions,
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rows = await unlessStopped(command.signal, allMisses(services, { jobs: [job], ...options }))
    const noted = { misses: 0 }
    for (const misses of idsOf(rows)) noted.misses += (await services.misses.note({ misses, note })).misses
    command.output.result(noted, () => textFor('cli.missing.noted', { count: noted.misses }))
    return 0
  })
}

export async function patchMisses(
  command: Command,
  job: number,
  { ignoreRobots, later, ...options }: PatchOptions,
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const open: Listing = { jobs: [job], ...options, state: 'OPEN' }
    const rows = await unlessStopped(command.signal, allMisses(services, open))
    const [misses, ...more] = idsOf(rows)
    if (misses === undefined) throw new Fault('refused', message('miss.patch.none'))
    const made = await services.misses.patch({
      ...{ misses, ignoreRobots: ignoreRobots ?? false, later: later ?? false },
    })
    command.output.result(made, () =>
      made
        .map((patch) =>
          textFor(later ? 'cli.missing.patched.later' : 'cli.missing.patched', { ...patch, count: patch.misses }),
        )
        .join('\n'),
    )
    if (more.length > 0) command.output.note(textFor('cli.missing.left', { count: more.flat().length }))
    return 0
  })
}

/** Harvests one URL at once, as a patch of a job. */
export async function harvestMiss(
  command: Command,
  { job, url }: { job: number; url: string },
  { ignoreRobots }: { ignoreRobots?: true },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const made = await services.misses.harvest({ jobs: [job], url, ignoreRobots: ignoreRobots ?? false })
    command.output.result(made, () => textFor('cli.missing.patched', { ...made, count: made.misses }))
    return 0
  })
}

/** Numbers of misses, as many at once as one call takes. */
function idsOf(rows: readonly JobMiss[]): number[][] {
  const ids = rows.map(({ id }) => id)
  return Array.from({ length: Math.ceil(ids.length / missesAtOnceMax) }, (_, at) =>
    ids.slice(at * missesAtOnceMax, (at + 1) * missesAtOnceMax),
  )
}
