/** The verbs `loupe preserve history|file`: what was done about each replica, and what was observed of one file over time. */
import type { CopyObservation, FileHistory } from '../../../contract/services/archivedFiles.ts'
import type { ReplicaEvent } from '../../../contract/services/replicas.ts'
import { badgeOf } from '../output/copyText.ts'
import { isGoodCopy } from '../../../contract/states/copyStates.ts'
import { preservationStates, uploadStates } from '../../../contract/states/states.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { bytesText, countText, momentText, originText, table } from '../output/output.ts'
import { checkReplica } from './preserve.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

export async function preserveHistory(command: Command, replica: string | undefined): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    checkReplica(await services.archive.replicas({}), replica)
    const all = await services.archive.history({})
    const replicas = replica === undefined ? all : all.filter((row) => row.replica === replica)
    command.output.result({ replicas }, () => replicas.map(replicaText).join('\n\n'))
    return 0
  })
}

function replicaText({ replica, events }: { replica: string; events: ReplicaEvent[] }): string {
  if (events.length === 0) return `${replica}: nothing was done about it yet.`
  const rows = events.map(({ kind, number, at, begunBy, files, filesTotal, findings, state }) => [
    momentText(at, ''),
    `${eventWords[kind]} ${number}`,
    begunBy,
    `${files} of ${filesTotal}`,
    findings,
    stateWords[state],
  ])
  const title = `${replica}: the last ${countText(events.length, 'event')}, the newest last.`
  return [title, table(['when', 'what', 'begun by', '>files', '>wrong', 'state'], rows)].join('\n')
}

const stateWords: Record<ReplicaEvent['state'], string> = {
  done: 'done',
  doneWithFindings: 'done, with findings',
  unfinished: 'unfinished',
}

/** Text for each kind of event, with the number by which more can be requested. */
const eventWords: Record<ReplicaEvent['kind'], string> = {
  missing: 'missing-file check',
  checksums: 'checksum check',
  spot: 'spot check',
  repair: 'repairs from audit entry',
}

export async function preserveFile(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const history = await services.archive.file({ name })
    command.output.result(history, () => fileText(history))
    const isFine = history.file.replicas.every(isGoodCopy)
    return isFine ? 0 : 1
  })
}

function fileText({ file, vote, sightings, attic, audit }: FileHistory): string {
  const copies = file.replicas.map((copy) => [
    copy.replica,
    badgeOf(uploadStates, copy.upload),
    badgeOf(preservationStates, copy.preservation),
    momentText(copy.checked, 'never'),
    momentText(copy.verified, 'never'),
    copy.problem ? textOf(copy.problem) : '',
  ])
  const of = file.job === null ? 'of no job' : `of job ${file.job}`
  return [
    `${file.name}, ${bytesText(file.bytes)}, ${of}, stored ${momentText(file.stored, 'not in every replica yet')}`,
    `SHA-256 as registered: ${file.sha256}`,
    textOf(vote.message),
    '',
    table(['replica', 'upload', 'preservation', 'last looked at', 'last compared', 'problem'], copies),
    ...part(textOf(message('cli.preserve.seen')), ['replica', 'seen', 'from', 'to', '>times', 'checksum'], sightings.map(observationCells)), // prettier-ignore
    ...part(
      textOf(message('cli.preserve.attic')),
      ['>entry', 'replica', 'since', 'by', 'checksum', 'why'],
      attic.map(({ id, replica, at, who, sha256, reason }) => [
        id,
        replica,
        momentText(at, ''),
        who,
        sha256 ?? 'could not be read',
        textOf(reason),
      ]),
    ),
    ...part(
      textOf(message('cli.preserve.audit')),
      ['>entry', 'when', 'who', 'account and shell', 'what'],
      audit.map((entry) => [entry.number, momentText(entry.at, ''), entry.who, originText(entry), entry.what]),
    ),
  ].join('\n')
}

function part(title: string, header: string[], rows: (string | number)[][]): string[] {
  return rows.length === 0 ? [] : ['', title, table(header, rows)]
}

function observationCells({ replica, seen, first, last, times, sha256, bytes }: CopyObservation): (string | number)[] {
  const length = seen === 'wrongLength' && bytes !== null ? ` (${bytes} bytes)` : ''
  return [replica, `${seenWords[seen]}${length}`, momentText(first, ''), momentText(last, ''), times, sha256 ?? '']
}

const seenWords: Record<CopyObservation['seen'], string> = {
  stored: 'stored and read back',
  right: 'right',
  present: 'there, not read',
  missing: 'missing',
  wrongLength: 'of another length',
  wrongChecksum: 'of another checksum',
  unreadable: 'not to be read',
}
