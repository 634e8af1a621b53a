/** The verbs `loupe preserve history|file`: what was done about each replica, and what was observed of one file over time. */
import type { CopyObservation, FileHistory } from '../../../contract/services/archivedFiles.ts'
import type { AuditEntry } from '../../../contract/services/audit.ts'
import { actionMessage, actorMessage } from '../../../contract/services/auditLabels.ts'
import type { ReplicaEvent } from '../../../contract/services/replicas.ts'
import { badgeOf, originOf } from '../output/copyText.ts'
import { isGoodCopy } from '../../../contract/states/copyStates.ts'
import { preservationStates, uploadStates } from '../../../contract/states/states.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { bytesText, momentText, originText, table, type Cells, type Column } from '../output/output.ts'
import { checkReplica } from './preserve.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

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
  if (events.length === 0) return textFor('cli.preserve.noEvent', { replica })
  const rows = events.map(({ kind, number, at, begunBy, files, filesTotal, findings, state }) => [
    momentText(at, ''),
    textFor(`cli.preserve.event.${kind}`, { number }),
    textOf(actorMessage(begunBy)),
    textFor('cell.xOfY', { part: files, total: filesTotal }),
    findings,
    textFor(`cli.preserve.eventState.${state}`),
  ])
  const title = textFor('cli.preserve.events', { replica, count: events.length })
  return [title, table(['when', 'what', 'begunBy', '>files', '>findings', 'state'], rows)].join('\n')
}

export async function preserveFile(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const history = await services.archive.file({ name })
    command.output.result(history, () => fileText(history))
    const isFine = history.file.replicas.every(isGoodCopy)
    return isFine ? 0 : 1
  })
}

function fileText({ file, vote, observations, attic, audit }: FileHistory): string {
  const copies = file.replicas.map((copy) => [
    copy.replica,
    badgeOf(uploadStates, copy.upload),
    badgeOf(preservationStates, copy.preservation),
    momentText(copy.checked, textFor('cell.never')),
    momentText(copy.verified, textFor('cell.never')),
    copy.problem ? textOf(copy.problem) : '',
  ])
  const values = { file: file.name, size: bytesText(file.bytes), origin: originOf(file) }
  return [
    file.stored === null
      ? textFor('cli.preserve.storing', values)
      : textFor('cli.preserve.stored', { ...values, time: momentText(file.stored, '') }),
    textFor('cli.preserve.registered', { sha256: file.sha256 }),
    textOf(vote.message),
    '',
    table(['replica', 'upload', 'preservation', 'lastChecked', 'lastVerified', 'problem'], copies),
    ...part(textFor('cli.preserve.seen'), ['replica', 'seen', 'from', 'to', '>times', 'checksum'], observations.map(observationCells)), // prettier-ignore
    ...part(
      textFor('cli.preserve.attic'),
      ['>entry', 'replica', 'since', 'by', 'checksum', 'reason'],
      attic.map(({ id, replica, at, who, sha256, reason }) => [
        id,
        replica,
        momentText(at, ''),
        textOf(actorMessage(who)),
        sha256 ?? textFor('cell.unreadable'),
        textOf(reason),
      ]),
    ),
    ...part(textFor('cli.preserve.audit'), ['>entry', 'when', 'who', 'accountAndShell', 'what'], audit.map(auditCells)),
  ].join('\n')
}

function auditCells(entry: AuditEntry): (string | number)[] {
  const { number, at, who, what } = entry
  return [number, momentText(at, ''), textOf(actorMessage(who)), originText(entry), textOf(actionMessage(what))]
}

function part(title: string, columns: readonly Column[], rows: Cells): string[] {
  return rows.length === 0 ? [] : ['', title, table(columns, rows)]
}

function observationCells({ replica, seen, first, last, times, sha256, bytes }: CopyObservation): (string | number)[] {
  const words = message(`cli.preserve.seen.${seen}`)
  const text =
    seen === 'wrongLength' && bytes !== null
      ? textFor('cli.preserve.seen.lengthOf', { seen: words, bytes })
      : textOf(words)
  return [replica, text, momentText(first, ''), momentText(last, ''), times, sha256 ?? '']
}
