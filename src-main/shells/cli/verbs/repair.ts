/**
 * The verbs `loupe preserve repair` and `loupe preserve attic`. The engine decides what is safe; this module shows it and asks for
 * confirmation.
 */
import type { AtticEntry } from '../../../contract/services/attic.ts'
import { actorMessage } from '../../../contract/services/auditLabels.ts'
import type { RepairableCopy, RepairCondition, RepairOutcome, RepairPlan } from '../../../contract/services/repairs.ts'
import type { Loupe } from '../../../contract/contract.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'
import { bytesText, momentText, table } from '../output/output.ts'
import { isSha256, sha256Digits } from '../input/optionValues.ts'
import { checkReplica } from './preserve.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

export interface RepairOptions {
  replica?: string
  files?: string
  expected?: string
  yesIHaveChecked?: true
  setAsideUnread?: true
}

/** A repair that was not tried. `NOT_DAMAGED`: nothing is wrong with the copy any more. `UNCHANGED`: the user entered an empty line. */
type Untried = Pick<RepairOutcome, 'name' | 'replica' | 'kind' | 'source' | 'attic' | 'conditions' | 'message'> & {
  state: 'NOT_DAMAGED' | 'REFUSED' | 'UNCHANGED'
}
/** An outcome. `shown`: conditions that the user has already read when asked. */
type Repaired = (RepairOutcome | Untried) & { shown?: readonly RepairCondition[] }

/** Returns the next line of standard input, undefined at its end. */
type Ask = () => Promise<string | undefined>

export async function repairCopies(command: Command, options: RepairOptions): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { replica, files, expected } = options
    checkReplica(await services.archive.replicas({}), replica)
    const copies = await services.archive.repairable({ replica, files })
    if (expected !== undefined && new Set(copies.map(({ name }) => name)).size > 1)
      throw new Fault('badInput', message('cli.option.expected'))
    const unasked: RepairPlan[] = []
    const outcomes: Repaired[] = []
    for (const copy of copies) {
      const done = await unlessStopped(command.signal, repairUnasked(command, services, copy, options))
      if ('outcome' in done) outcomes.push(done.outcome)
      else unasked.push(done.plan)
    }
    outcomes.push(...(await repairAsked(command, services, unasked)))
    const results = outcomes.map(({ shown: _, ...outcome }) => outcome)
    command.output.result({ copies: results }, () => outcomesText(outcomes))
    return exitCodeOf(outcomes)
  })
}

/**
 * Does what can be done with a copy before anything is typed: everything, unless something is to be replaced. A missing copy needs no
 * confirmation, since there is no existing file that could be the right one.
 */
async function repairUnasked(
  { output }: Command,
  services: Loupe,
  { name, replica }: RepairableCopy,
  { expected: given, yesIHaveChecked, setAsideUnread }: RepairOptions,
): Promise<{ outcome: Repaired } | { plan: RepairPlan }> {
  output.progress(textFor('cli.repair.reading', { file: name }))
  const plan = await services.archive.repairPlan({ name, replica })
  if (plan.kind === 'right')
    return { outcome: untried(plan, 'NOT_DAMAGED', message('cli.repair.right', { name, replica })) }
  const failed = plan.conditions.find(({ state }) => state === 'failed')
  if (failed) return { outcome: untried(plan, 'REFUSED', message('repair.refused', { reason: failed.message })) }
  if (plan.unreadable !== null && !setAsideUnread) return { outcome: untried(plan, 'REFUSED', unreadText(plan)) }
  if (plan.kind === 'replace' && given === undefined && !yesIHaveChecked) return { plan }
  return { outcome: await repairAs(output, services, plan, given ?? plan.registered) }
}

/** Asks for the expected checksum of one copy after the other. */
async function repairAsked(
  { output, signal }: Command,
  services: Loupe,
  plans: readonly RepairPlan[],
): Promise<Repaired[]> {
  const ask = linesOf(process.stdin)
  const outcomes: Repaired[] = []
  try {
    for (const [index, plan] of plans.entries()) {
      const question = { number: index + 1, total: plans.length, ask: ask.next }
      const answer = await unlessStopped(signal, asked(output, plan, question))
      const outcome =
        'expected' in answer
          ? await unlessStopped(signal, repairAs(output, services, plan, answer.expected))
          : untried(plan, answer.state, answer.message)
      outcomes.push({ ...outcome, shown: plan.conditions })
    }
    return outcomes
  } finally {
    ask.end()
  }
}

async function repairAs(
  output: Command['output'],
  services: Loupe,
  { name, replica, found, unreadable }: RepairPlan,
  expected: string,
): Promise<RepairOutcome> {
  output.progress(textFor('cli.repair.repairing', { file: name, replica }))
  return services.archive.repair({ name, replica, expected, found: unreadable === null ? found : 'unreadable' })
}

function untried(
  { name, replica, kind, source, conditions }: RepairPlan,
  state: Untried['state'],
  why: Message,
): Untried {
  return { name, replica, kind, source, attic: null, conditions, state, message: why }
}

function unreadText({ name, replica, unreadable }: RepairPlan): Message {
  return message('cli.repair.unread', { name, replica, problem: unreadable ?? '' })
}

type Answer = { expected: string } | { state: 'UNCHANGED' | 'REFUSED'; message: Message }

/** Asks again after a typing error. */
async function asked(
  output: Command['output'],
  { name, replica, bytes, found, unreadable, conditions }: RepairPlan,
  { number, total, ask }: { number: number; total: number; ask: Ask },
): Promise<Answer> {
  const present = found ?? message(unreadable === null ? 'copy.finding.missing' : 'copy.finding.unreadable')
  output.note(textFor('cli.repair.copy', { file: name, size: bytesText(bytes), replica, number, total, present }))
  output.note(conditionsText(conditions))
  output.note(textFor('cli.repair.type'))
  for (;;) {
    const line = (await ask())?.trim().toLowerCase()
    if (line === undefined)
      return {
        state: 'REFUSED',
        message: message('cli.repair.unconfirmed'),
      }
    if (line === '') return { state: 'UNCHANGED', message: message('cli.repair.left', { name, replica }) }
    if (isSha256(line)) return { expected: line }
    output.note(textFor('cli.repair.notSha256', { digits: sha256Digits, typed: line.length }))
  }
}

function linesOf(input: NodeJS.ReadStream): { next: Ask; end: () => void } {
  let isBegun = false
  async function* lines() {
    isBegun = true
    let rest = ''
    for await (const chunk of input.setEncoding('utf8')) {
      const parts = `${rest}${String(chunk)}`.split('\n')
      rest = parts.pop() ?? ''
      yield* parts
    }
    if (rest !== '') yield rest
  }
  const iterator = lines()
  return {
    next: async () => (await iterator.next()).value ?? undefined,
    // A terminal that is still being read would keep the process alive.
    end: () => void (isBegun && input.destroy()),
  }
}

function outcomesText(outcomes: readonly Repaired[]): string {
  if (outcomes.length === 0) return textFor('cli.repair.nothing')
  return outcomes
    .map(({ name, replica, state, conditions, shown = [], message: result }) => {
      const isNews = (row: RepairCondition) =>
        !shown.some(({ condition, state }) => condition === row.condition && state === row.state)
      const news = conditions.filter(isNews)
      const title = textFor('cli.repair.state', { file: name, replica, state: message(`cli.repair.state.${state}`) })
      return [title, ...(news.length === 0 ? [] : [conditionsText(news)]), textOf(result)].join('\n')
    })
    .join('\n\n')
}

function conditionsText(conditions: readonly RepairCondition[]): string {
  return conditions
    .map(({ condition, state, message: what }) => {
      // On the command line, an option or a typed checksum confirms; in the interface, a button.
      const isToConfirm = condition === 'asConfirmed' && state === 'open'
      return `  ${marks[state]} ${isToConfirm ? textFor('cli.repair.how', { condition: what }) : textOf(what)}`
    })
    .join('\n')
}

const marks: Record<RepairCondition['state'], string> = { open: '[ ]', met: '[x]', failed: '[!]' }

function exitCodeOf(outcomes: readonly Repaired[]): ExitCode {
  const full = outcomes.find(({ conditions }) => conditions.some(({ code }) => code === 'noSpace'))
  if (full)
    throw new Fault(
      'noSpace',
      message('cli.repair.full', { name: full.name, replica: full.replica, problem: full.message }),
    )
  const refused = outcomes.filter(({ state }) => state === 'REFUSED')
  const [first] = refused
  if (first)
    throw new Fault(
      'refused',
      message('cli.repair.refused', {
        ...{ copies: refused.length, total: outcomes.length },
        ...{ name: first.name, replica: first.replica, problem: first.message },
      }),
    )
  return outcomes.every(({ state }) => state === 'REPAIRED' || state === 'NOT_DAMAGED') ? 0 : 1
}

export async function listAttic(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const entries = await services.archive.attic({})
    command.output.result({ entries }, () => atticText(entries))
    return 0
  })
}

function atticText(entries: readonly AtticEntry[]): string {
  if (entries.length === 0) return textFor('cli.attic.none')
  const rows = entries.map((entry) => [
    entry.id,
    entry.replica,
    entry.name,
    momentText(entry.at, ''),
    textOf(actorMessage(entry.who)),
    entry.sha256 ?? textFor('cell.unreadable'),
    entry.where ?? textFor(entry.state === 'open' ? 'cell.notKnownYet' : 'cell.absentReplica'),
    entry.restoredAs ?? '',
    textOf(entry.reason),
  ])
  return table(['>entry', 'replica', 'file', 'since', 'by', 'checksum', 'where', 'restoredAs', 'reason'], rows)
}

export async function restoreFromAttic(
  command: Command,
  order: { id: number; as: string | undefined },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const restored = await unlessStopped(command.signal, services.archive.restoreFromAttic(order))
    const { id, name, state, problems } = restored
    command.output.result(restored, () =>
      state === 'stored'
        ? textFor('cli.attic.restored', { id, name })
        : problems
            .map(({ replica, problem }) => textFor('cli.attic.notStored', { file: name, replica, problem }))
            .join('\n'),
    )
    return state === 'stored' ? 0 : 1
  })
}
