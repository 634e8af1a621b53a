/** The verbs `loupe preserve status|spot|affected`: what is known of the copies, what they prove, and what is lost with one. */
import { lostText } from '../../../contract/text/lostText.ts'
import type { AffectedFile } from '../../../contract/services/archivedFiles.ts'
import type { ArchiveStatus } from '../../../contract/services/archiveStatus.ts'
import type { ReplicaState } from '../../../contract/services/replicas.ts'
import type { SpotCheckSummary, SpotFinding } from '../../../contract/services/votes.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'
import { bytesText, momentText, plainText, table } from '../output/output.ts'
import { nextSteps, originOf } from '../output/copyText.ts'
import { listed, outsideText, rowsShownMax } from '../output/listed.ts'
import { checkReplica } from './preserve.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

export async function preserveStatus(command: Command, replica: string | undefined): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const whole = await services.archive.status({})
    checkReplica(whole.replicas, replica)
    const status = replica === undefined ? whole : only(whole, replica)
    command.output.result(status, () => statusText(status))
    return status.fine ? 0 : 1
  })
}

/** Restricts the status to one replica. Votes and spot checks concern all replicas that hold the file. */
function only(status: ArchiveStatus, replica: string): ArchiveStatus {
  const isIts = (row: { replica: string }) => row.replica === replica
  const findings = status.findings.filter(isIts)
  const votes = status.votes.filter(({ copies }) => copies.some((copy) => isIts(copy) && copy.verdict !== 'right'))
  const spots = status.spots.filter(({ answers }) => answers.some((row) => isIts(row) && row.kind !== 'notAsked'))
  const replicas = status.replicas.filter(isIts)
  const fine = replicas.every(isFine) && findings.length + spots.length === 0
  return { ...status, fine, replicas, findings, votes, spots, aging: status.aging.filter(isIts) }
}

function isFine(row: ReplicaState): boolean {
  return row.reachable && row.missing + row.corrupt + row.notStored + row.overdue === 0
}

const statusColumns = [
  ...(['replica', '>files', '>size', '>missing', '>damaged', '>notStored', '>neverChecked', '>overdue'] as const),
  ...(['lastMissingCheck', 'lastChecksumCheck', 'oldestVerified', '>free'] as const),
]

function statusText(status: ArchiveStatus): string {
  const [unknown, never] = [textFor('cell.unknown'), textFor('cell.never')]
  const rows = status.replicas.map((row) => [
    row.replica,
    row.files,
    row.bytes === null ? unknown : bytesText(row.bytes),
    row.missing,
    row.corrupt,
    row.notStored,
    row.neverChecked,
    row.overdue,
    momentText(row.lastMissingCheck, never),
    momentText(row.lastChecksumCheck, never),
    momentText(row.oldestVerified, never),
    row.freeBytes === null ? unknown : bytesText(row.freeBytes),
  ])
  const { lost, lostTotal } = status
  return [
    ...(lostTotal === 0
      ? []
      : [
          ...listed(
            textFor('cli.preserve.lost', { lost: lostText(lostTotal) }),
            lost,
            ({ name }) => plainText(name),
            lostTotal,
          ).slice(1),
          '',
        ]),
    table(statusColumns, rows),
    '',
    ...status.replicas.map(whereText),
    backupText(status.backup),
    ...listed(textFor('cli.preserve.backups'), status.backup.findings, (row) => plainText(textOf(row.message))),
    ...listed(textFor('cli.preserve.votes'), status.votes, ({ name, message: text }) =>
      textFor('figure.named', { name, text }),
    ),
    ...listed(textFor('cli.preserve.spots'), status.spots, ({ name, verdict }) =>
      textFor('figure.named', { name, text: message(`cli.preserve.spot.${verdict}`) }),
    ),
    ...listed(
      textFor('cli.preserve.surplus'),
      status.findings.filter(({ finding }) => finding === 'surplus'),
      surplusText,
    ),
    ...outsideText(status.outside),
    ...adviceOn(status),
    ...nextSteps({
      ...status.outside,
      bad: status.replicas.reduce((sum, { missing, corrupt }) => sum + missing + corrupt, 0),
      surplus: status.findings.filter(({ finding }) => finding === 'surplus').length,
      notStored: status.replicas.filter(({ notStored }) => notStored > 0).map(({ replica }) => replica),
    }),
  ].join('\n')
}

function whereText({ replica, folder, place, reachable, lastFailure }: ReplicaState): string {
  const where =
    place === null
      ? message('cli.preserve.replica', { replica, folder })
      : message('cli.preserve.replicaAt', { replica, folder, place })
  if (reachable) return textOf(where)
  // The reason why a replica cannot be used, as it was last reported.
  return lastFailure === null
    ? textFor('cli.preserve.unreachable', { replica: where })
    : textFor('cli.preserve.unreachableWhy', { replica: where, problem: plainText(textOf(lastFailure.message)) })
}

function backupText({ folder, last, kept, apart }: ArchiveStatus['backup']): string {
  if (!last) return textFor('cli.preserve.noBackup', { folder })
  return textFor(apart === false ? 'cli.preserve.backup.together' : 'cli.preserve.backup', {
    ...{ made: momentText(last.made, ''), confirmed: momentText(last.confirmed, '') },
    ...{ kept, folder },
  })
}

function surplusText({ replica, name }: { replica: string; name: string }): string {
  return textFor('cli.preserve.fileIn', { file: plainText(name), replica })
}

function adviceOn({ replicas, overdueDays }: ArchiveStatus): string[] {
  const neverChecked = replicas.reduce((sum, row) => sum + row.neverChecked, 0)
  const [due] = replicas.flatMap(({ firstCheckDue }) => firstCheckDue ?? []).toSorted()
  const overdue = replicas.reduce((sum, row) => sum + row.overdue, 0)
  if (overdue > 0) return ['', textFor('cli.preserve.overdue', { count: overdue, days: overdueDays })]
  return due === undefined ? [] : ['', textFor('cli.preserve.due', { count: neverChecked, day: due.slice(0, 10) })]
}

export async function spotCheck(command: Command, files: number | undefined): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const asked = services.archive.spotCheck(files === undefined ? {} : { files })
    const made = await unlessStopped(command.signal, asked)
    command.output.result(made, () => spotText(made))
    return made.files.every(isProven) ? 0 : 1
  })
}

/** Whether the spot check proves something. A replica that should have answered and was not available proves nothing. */
function isProven({ verdict, answers }: SpotFinding): boolean {
  return (verdict === 'agree' || verdict === 'single') && answers.every(({ kind }) => kind !== 'away')
}

function spotText({ task: number, files }: SpotCheckSummary): string {
  const rows = files.map(({ name, verdict, answers }) => {
    const silent = answers
      .filter(({ why }) => why !== null)
      .map(({ replica, why }) => textFor('figure.named', { name: replica, text: why ?? '' }))
    const answered = answers.filter(({ hmac }) => hmac !== null).length
    return [name, answered, textFor(`cli.preserve.spot.${verdict}`), silent.join('; ')]
  })
  const title = textFor('cli.preserve.spotCheck', { number, files: files.length })
  return rows.length === 0 ? title : [title, table(['file', '>answers', 'verdict', 'noAnswer'], rows)].join('\n')
}

export async function affected(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const found = await unlessStopped(command.signal, services.archive.affected({ name }))
    command.output.result(found, () => affectedText(found))
    return 0
  })
}

function referringText(referredBy: AffectedFile['referredBy']): string[] {
  if (referredBy === null) return [textFor('cli.preserve.referred.unknown')]
  if (referredBy.length === 0) return []
  const rows = referredBy.map(({ job, captures, onlyHere }) => [job ?? textFor('cli.dedup.noJob'), captures, onlyHere])
  return [textFor('cli.preserve.referred'), table(['>referredBy', '>captures', '>onlyHere'], rows)]
}

function affectedText({ name, job, bytes, vote, goodIn, content, referredBy }: AffectedFile): string {
  const values = { file: name, size: bytesText(bytes), origin: originOf({ job }) }
  const lines = [
    goodIn.length === 0
      ? textFor('cli.preserve.goodNowhere', values)
      : textFor('cli.preserve.goodIn', { ...values, replicas: goodIn.join(', ') }),
    textOf(vote.message),
  ]
  if (content === null) return [...lines, textFor('cli.preserve.unknownCaptures')].join('\n')
  const domains = content.domains.slice(0, rowsShownMax).map(({ domain, captures }) => [domain, captures])
  return [
    ...lines,
    textFor('cli.preserve.affected', {
      ...{ captures: content.captures, domains: content.domainsTotal, payloads: content.withPayload },
      ...{ complete: String(content.complete), elsewhere: content.elsewhere },
      ...{ read: content.othersRead, others: content.othersTotal },
    }),
    table(['domain', '>captures'], domains),
    ...referringText(referredBy),
  ].join('\n')
}
