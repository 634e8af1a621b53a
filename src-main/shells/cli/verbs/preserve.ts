/** The verbs `loupe preserve missing|checksums`, which check the copies. `preserveStatus.ts` shows what is known of them. */
import { nearest } from '../../../contract/text/nearest.ts'
import type { CheckSummary, PreservationFinding } from '../../../contract/services/checks.ts'
import type { FilesOutside } from '../../../contract/services/archivedFiles.ts'
import type { ReplicaSummary } from '../../../contract/services/replicas.ts'
import type { Loupe } from '../../../contract/contract.ts'
import { taskKinds } from '../../../contract/shapes/taskKinds.ts'
import { isWholeTask } from '../../../contract/states/taskStates.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { followed, followedTask } from './following.ts'
import { nextSteps } from '../output/copyText.ts'
import { outsideText } from '../output/listed.ts'
import { figures, figuresOf, rate, remaining } from '../output/figures.ts'
import { bytesText, table } from '../output/output.ts'
import { numberMessage } from '../../../contract/text/quantities.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

export interface CheckOptions {
  replica?: string
  files?: string
  sample?: number
}

type Kind = 'missing' | 'checksums'

export async function check(command: Command, kind: Kind, options: CheckOptions): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const all = await services.archive.replicas({})
    checkReplica(all, options.replica)
    const chosen = options.replica === undefined ? all.map((row) => row.replica) : [options.replica]
    const resumed = await resumable(services, { kind, options, chosen })
    const begun = resumed ?? (await services.archive.check({ kind, ...options }))
    const values = {
      check: begun.task,
      kind: taskKinds[kind],
      total: begun.filesTotal,
      replicas: begun.replicas.join(', '),
    }
    command.output.note(
      resumed
        ? textFor('cli.preserve.resumed', { ...values, done: begun.filesDone })
        : textFor('cli.preserve.begun', values),
    )
    const ended = await followed(
      command,
      followedTask(services.tasks, { list: services.archive.checks }, begun, (current, seconds) =>
        progressText(current, begun, seconds),
      ),
    )
    if (command.signal.aborted && !isWholeTask(ended)) {
      command.output.note(
        textFor('cli.stopped.after', {
          figures: message('figure.copiesOf', { done: ended.filesDone, total: ended.filesTotal }),
        }),
      )
      return 130
    }
    const findings = await services.archive.findings({ check: ended.task })
    // Includes files that the replicas cannot show: those that wait in the folders of jobs are in no replica.
    const outside = kind === 'missing' ? (await services.archive.status({})).outside : undefined
    command.output.result({ ...ended, findings, ...(outside && { outside }) }, () =>
      checkText(ended, findings, outside),
    )
    return ended.state === 'DONE' && (!outside || outside.waitingTotal + outside.unknownTotal === 0) ? 0 : 1
  })
}

function checkText(ended: CheckSummary, findings: PreservationFinding[], outside: FilesOutside | undefined): string {
  const { task: check, kind, replicas, problem } = ended
  const named = (finding: PreservationFinding['finding']) => findings.filter((row) => row.finding === finding)
  const [surplus, notStored] = [named('surplus'), named('notStored')]
  const rows = findings.map((row) => [
    row.replica,
    textOf(message(`copy.finding.${row.finding}`)),
    row.name,
    row.expected ? textOf(row.expected) : '',
    row.found ? textOf(row.found) : '',
  ])
  return [
    textOf(
      message('cli.preserve.result', {
        ...{ check, kind: taskKinds[kind] },
        ...{ replicas: replicas.join(', '), result: checkedOf(ended) },
      }),
    ),
    ...(problem === null ? [] : [textOf(problem)]),
    ...(rows.length === 0 ? [] : [table(['replica', 'finding', 'file', 'expected', 'found'], rows)]),
    ...(outside ? outsideText(outside) : []),
    ...nextSteps({
      bad: findings.length - surplus.length - notStored.length,
      surplus: surplus.length,
      notStored: [...new Set(notStored.map(({ replica }) => replica))],
      waitingTotal: outside?.waitingTotal ?? 0,
      unknownTotal: outside?.unknownTotal ?? 0,
    }),
  ].join('\n')
}

/** Findings are counted as "0 findings" only when every copy was checked. */
function checkedOf({ state, kind, filesDone, filesTotal, bytesDone, findings: count }: CheckSummary): Message {
  const copies = [
    message('figure.copiesOf', { done: filesDone, total: filesTotal }),
    kind === 'checksums' ? message('figure.read', { size: bytesText(bytesDone) }) : undefined,
  ]
  if (isWholeTask({ state })) return figuresOf([...copies, message('figure.findings', { count })])
  return message('cli.preserve.lookedAt', {
    figures: figuresOf([...copies, count === 0 ? undefined : message('figure.findingsSoFar', { count })]),
    count: filesTotal - filesDone,
  })
}

export function checkReplica(known: readonly ReplicaSummary[], replica: string | undefined): void {
  const names = known.map((row) => row.replica)
  if (replica === undefined || names.includes(replica)) return
  const near = nearest(replica, names)
  const asked = { name: replica, known: names.join(', ') }
  throw new Fault(
    'notFound',
    near === undefined
      ? message('cli.preserve.noReplica', asked)
      : message('cli.preserve.noReplica.near', { ...asked, near }),
  )
}

/**
 * Continues a check that was stopped, paused or interrupted. Running the verb again after Ctrl-C continues at the file where it stopped, whatever else was checked
 * meanwhile. A check of chosen files starts from the beginning, since the choice is not stored. A check older than the last complete one of
 * the same kind is obsolete.
 */
async function resumable(
  services: Loupe,
  { kind, options, chosen }: { kind: Kind; options: CheckOptions; chosen: string[] },
): Promise<CheckSummary | undefined> {
  if (options.files !== undefined || options.sample !== undefined) return undefined
  const last = (await services.archive.checks({})).find(
    (row) =>
      row.kind === kind &&
      row.files === null &&
      row.sample === null &&
      row.replicas.toSorted().join() === chosen.toSorted().join(),
  )
  // A check that failed is not continued: the user may have mended the replica, and the files read before may have changed.
  if (!last?.canResume || last.state === 'FAILED') return undefined
  const { task } = last
  const resumed = await services.tasks.resume({ task })
  return { ...last, ...resumed, kind }
}

/** Estimates by bytes how long reading takes, and by files how long a listing takes. */
function progressText(current: CheckSummary, begun: CheckSummary, seconds: number): string {
  const { kind, filesDone, filesTotal, bytesDone, bytesTotal, findings } = current
  const reads = kind === 'checksums'
  const done = reads ? bytesDone - begun.bytesDone : filesDone - begun.filesDone
  const left = reads ? bytesTotal - bytesDone : filesTotal - filesDone
  const perSecond = done / Math.max(seconds, 0.1)
  return figures([
    message('figure.copiesOf', { done: filesDone, total: filesTotal }),
    reads ? rate(perSecond) : message('figure.copyRate', { copies: numberMessage(perSecond) }),
    remaining(left, perSecond),
    message('figure.findings', { count: findings }),
  ])
}
