/** The verbs `loupe preserve missing|checksums`, which check the copies. `preserveStatus.ts` shows what is known of them. */
import { nearest } from '../../../app/settings/nearest.ts'
import type { CheckSummary, PreservationFinding } from '../../../contract/services/checks.ts'
import type { FilesOutside } from '../../../contract/services/archivedFiles.ts'
import type { ReplicaSummary } from '../../../contract/services/replicas.ts'
import type { Loupe } from '../../../contract/contract.ts'
import { isWholeTask } from '../../../contract/states/taskStates.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { followed, followedTask } from './following.ts'
import { nextSteps } from '../output/copyText.ts'
import { outsideText } from '../output/listed.ts'
import { bytesText, countText, durationText, table } from '../output/output.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

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
    const action = resumed ? `goes on after ${begun.filesDone} of` : 'looks at'
    command.output.note(
      textOf(
        message('cli.preserve.begun', {
          ...{ check: begun.task, kind, action, total: begun.filesTotal },
          replicas: begun.replicas.join(', '),
        }),
      ),
    )
    const ended = await followed(
      command,
      followedTask(services.tasks, { list: services.archive.checks }, begun, (current, seconds) =>
        progressText(current, begun, seconds),
      ),
    )
    if (command.signal.aborted && !isWholeTask(ended)) {
      command.output.note(
        textOf(message('cli.stopped.after', { done: ended.filesDone, total: `${ended.filesTotal} copies` })),
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
    textOf(message('cli.preserve.result', { check, kind, replicas: replicas.join(', '), result: lookedAtText(ended) })),
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
function lookedAtText({ state, kind, filesDone, filesTotal, bytesDone, findings }: CheckSummary): string {
  const copies = `${filesDone} of ${filesTotal} copies${kind === 'checksums' ? `, ${bytesText(bytesDone)} read` : ''}`
  if (isWholeTask({ state })) return `${copies}, ${countText(findings, 'finding')}`
  const found = findings === 0 ? '' : `, ${countText(findings, 'finding')} so far`
  return `${copies}${found}; ${countText(filesTotal - filesDone, 'copy was', 'copies were')} not looked at`
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
  const rate = done / Math.max(seconds, 0.1)
  const rateText = reads ? `${bytesText(rate)}/s` : `${rate.toFixed(0)} copies/s`
  const remaining = rate > 0 ? `, ${durationText(left / rate)} to go` : ''
  return `${filesDone} of ${filesTotal} copies, ${rateText}${remaining}, ${countText(findings, 'finding')}`
}
