/** The verbs `loupe preserve status|spot|affected`: what is known of the copies, what they prove, and what is lost with one. */
import { lostText } from '../../../contract/text/lostText.ts'
import type { AffectedFile } from '../../../contract/services/archivedFiles.ts'
import type { ArchiveStatus } from '../../../contract/services/archiveStatus.ts'
import type { ReplicaStanding } from '../../../contract/services/replicas.ts'
import type { SpotCheckSummary, SpotFinding } from '../../../contract/services/votes.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'
import { bytesText, countText, momentText, plainText, table } from '../output/output.ts'
import { nextSteps } from '../output/copyText.ts'
import { listed, outsideText, rowsShownMax } from '../output/listed.ts'
import { checkReplica } from './preserve.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

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

function isFine(row: ReplicaStanding): boolean {
  return row.reachable && row.missing + row.corrupt + row.notStored + row.overdue === 0
}

function statusText(status: ArchiveStatus): string {
  const rows = status.replicas.map((row) => [
    row.replica,
    row.files,
    row.bytes === null ? 'unknown' : bytesText(row.bytes),
    row.missing,
    row.corrupt,
    row.notStored,
    row.neverChecked,
    row.overdue,
    momentText(row.lastMissingCheck, 'never'),
    momentText(row.lastChecksumCheck, 'never'),
    momentText(row.oldestVerified, 'never'),
    row.freeBytes === null ? 'unknown' : bytesText(row.freeBytes),
  ])
  const header = ['replica', '>files', '>size', '>missing', '>damaged', '>not stored', '>never checked', '>overdue']
  const { lost, lostTotal } = status
  return [
    ...(lostTotal === 0
      ? []
      : [...listed(`${lostText(lostTotal)}:`, lost, ({ name }) => plainText(name), lostTotal).slice(1), '']),
    table([...header, 'last missing check', 'last checksums check', 'longest not compared', '>free'], rows),
    '',
    ...status.replicas.map(whereText),
    backupText(status.backup),
    ...listed(textOf(message('cli.preserve.backups')), status.backup.findings, (row) => plainText(textOf(row.message))),
    ...listed(textOf(message('cli.preserve.votes')), status.votes, (vote) => `${vote.name}: ${textOf(vote.message)}`),
    ...listed(
      textOf(message('cli.preserve.spots')),
      status.spots,
      ({ name, verdict }) => `${name}: ${spotWords[verdict]}`,
    ),
    ...listed(
      textOf(message('cli.preserve.surplus')),
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

function whereText({ replica, folder, place, reachable, lastFailure }: ReplicaStanding): string {
  const where = `${replica} is ${folder}${place === null ? '' : ` (${place})`}`
  if (reachable) return where
  // The reason why a replica cannot be used, as it was last reported.
  return `${where}, which cannot be used now${lastFailure === null ? '' : `: ${plainText(textOf(lastFailure.message))}`}`
}

function backupText({ folder, last, kept, apart }: ArchiveStatus['backup']): string {
  if (!last) return textOf(message('cli.preserve.noBackup', { folder }))
  const where = apart === false ? ', on the same file system as the archive or a replica' : ''
  return textOf(
    message('cli.preserve.backup', {
      ...{ made: momentText(last.made, ''), confirmed: momentText(last.confirmed, '') },
      ...{ kept, folder, where },
    }),
  )
}

function surplusText({ replica, name }: { replica: string; name: string }): string {
  return `${plainText(name)} in ${replica}`
}

function adviceOn({ replicas, overdueDays }: ArchiveStatus): string[] {
  const neverChecked = replicas.reduce((sum, row) => sum + row.neverChecked, 0)
  const [due] = replicas.flatMap(({ firstCheckDue }) => firstCheckDue ?? []).toSorted()
  const overdue = replicas.reduce((sum, row) => sum + row.overdue, 0)
  if (overdue > 0)
    return [
      '',
      `${countText(overdue, 'copy was', 'copies were')} not compared for ${overdueDays} days: "loupe preserve checksums" compares them.`,
    ]
  if (due === undefined) return []
  return [
    '',
    `${countText(neverChecked, 'new copy', 'new copies')}, verified when stored: first check due by ${due.slice(0, 10)}.`,
  ]
}

const spotWords = {
  agree: 'all hold the same bytes',
  differ: 'the replicas hold different bytes: check the checksums',
  failed: 'a replica could not answer: check the checksums',
  single: 'only one replica could be asked, so nothing was compared',
  none: 'no replica could be asked',
} as const

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

function spotText({ spotCheck: number, files }: SpotCheckSummary): string {
  const rows = files.map(({ name, verdict, answers }) => {
    const silent = answers
      .filter(({ why }) => why !== null)
      .map(({ replica, why }) => `${replica}: ${why ? textOf(why) : ''}`)
    return [name, answers.filter(({ hmac }) => hmac !== null).length, spotWords[verdict], silent.join('; ')]
  })
  const title = textOf(message('cli.preserve.spotCheck', { number, files: files.length }))
  return rows.length === 0
    ? title
    : [title, table(['file', '>answers', 'verdict', 'without an answer'], rows)].join('\n')
}

export async function affected(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const found = await unlessStopped(command.signal, services.archive.affected({ name }))
    command.output.result(found, () => affectedText(found))
    return 0
  })
}

function affectedText({ name, job, bytes, vote, goodIn, content }: AffectedFile): string {
  const of = job === null ? 'of no job' : `of job ${job}`
  const lines = [
    `${name}, ${bytesText(bytes)}, ${of}; ${goodIn.length === 0 ? 'no replica has a good copy, as far as is known' : `good in ${goodIn.join(', ')}, as far as is known`}.`,
    textOf(vote.message),
  ]
  if (content === null) return [...lines, textOf(message('cli.preserve.unknownCaptures'))].join('\n')
  const least = content.complete ? '' : ' at least'
  const domains = content.domains.slice(0, rowsShownMax).map(({ domain, captures }) => [domain, captures])
  return [
    ...lines,
    `${countText(content.captures, 'capture')} of ${countText(content.domainsTotal, 'domain')}; of ${countText(content.withPayload, 'payload')}${least} ${content.elsewhere} lie in another file too (${content.othersRead} of ${content.othersTotal} looked into).`,
    table(['domain', '>captures'], domains),
  ].join('\n')
}
