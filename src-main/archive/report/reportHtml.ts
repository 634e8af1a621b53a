/** Formats a report as one printable HTML page without scripts or external resources; all text is escaped. */
import type { PreservationReport } from '../../contract/services/archiveStatus.ts'
import { joined } from '../../contract/words/joined.ts'
import { message, type Message, type MessageCode } from '../../contract/words/message.ts'
import { textFor, textOf } from '../../contract/words/render.ts'
import { escapedHtml } from '../../contract/text/escapedHtml.ts'
import { printedPage, printedTable } from '../../contract/text/printedPage.ts'
import { taskStates, type TaskState } from '../../contract/states/taskStates.ts'
import { lostText } from '../../contract/text/lostText.ts'
import { findingsCountMax, spotsAlarmingCountMax, votesCountMax } from '../files/limits.ts'

/** Maximum number of printed rows of one table. The CSV and the JSON contain more (`limits.ts`). */
const printedRowsMax = 500

type Cell = string | number
type NameIn<Code, Prefix extends string> = Code extends `${Prefix}${infer Name}` ? Name : never
type Section = NameIn<MessageCode, 'report.section.'>
type Column = NameIn<MessageCode, 'report.column.'>

export function reportHtml(report: PreservationReport): string {
  const title = textFor('report.title', { archive: report.archive })
  const body = [
    `<h1>${escapedHtml(title)}</h1>`,
    paragraph(message('report.created', { at: momentText(report.at), software: report.software })),
    report.fine ? paragraph(message('report.fine'), 'met') : paragraph(message('report.notFine'), 'notMet'),
    ...[...lostFiles(report), ...overview(report), ...backups(report), ...trouble(report), ...ndsa(report)],
    ...proof(report),
  ]
  return printedPage({ title, body })
}

function lostFiles({ lost, lostTotal }: PreservationReport): string[] {
  if (lostTotal === 0) return []
  return [
    paragraph(message('report.lost', { lost: lostText(lostTotal) }), 'notMet'),
    ...section(
      'lost',
      ['file', 'bytes', 'job'],
      lost.map((row) => [row.name, row.bytes.toLocaleString('en'), row.job ?? '']),
      lostTotal,
    ),
  ]
}

function overview({ files, bytes, overdueDays, replicas }: PreservationReport): string[] {
  const rows = replicas.map((row) => [
    textOf(replicaName(row)),
    row.place ?? textFor('report.noLocation'),
    row.files,
    row.bytes?.toLocaleString('en') ?? textFor('report.unknown'),
    row.missing,
    row.corrupt,
    row.notStored,
    row.neverChecked,
    row.overdue,
    momentText(row.lastChecksumCheck),
  ])
  return [
    heading('replicas'),
    paragraph(message('report.size', { files, bytes, overdueDays })),
    table(
      [
        ...(['replica', 'location', 'files', 'bytes', 'missing', 'damaged'] as const),
        ...(['notStored', 'neverChecked', 'overdue', 'lastChecksumCheck'] as const),
      ],
      rows,
    ),
  ]
}

function replicaName({ replica, kind, reachable }: PreservationReport['replicas'][number]): Message {
  const name =
    kind === 'checksums' ? message('report.replica.checksums', { replica }) : message('text', { text: replica })
  return reachable ? name : message('report.replica.unreachable', { replica: name })
}

function backups({ backup }: PreservationReport): string[] {
  const { last, folder, kept, bytes, findings, apart } = backup
  const backupsText = message('report.backups', { kept, bytes, folder, apart: String(apart) })
  const latest = last && { made: momentText(last.made), confirmed: momentText(last.confirmed) }
  return [
    heading('backups'),
    paragraph(latest ? joined([backupsText, message('report.backups.latest', latest)]) : backupsText),
    ...findings.map((row) => paragraph(row.message, 'notMet')),
  ]
}

function trouble({ findings, votes, spots, aging, replicas }: PreservationReport): string[] {
  const sum = (of: (row: (typeof replicas)[number]) => number) => replicas.reduce((all, row) => all + of(row), 0)
  // Files that are not in the catalogue are not counted among the bad copies.
  const surplus = findings.filter(({ finding }) => finding === 'surplus').length
  const bad = sum(({ missing, corrupt }) => missing + corrupt)
  const wholeOf = (rows: readonly unknown[], countMax: number) => (rows.length >= countMax ? undefined : rows.length)
  return [
    ...section(
      'findings',
      ['replica', 'file', 'finding', 'expected', 'found', 'job'],
      findings.map((row) => [
        row.replica,
        row.name,
        textOf(message(`copy.finding.${row.finding}`)),
        row.expected ? textOf(row.expected) : '',
        row.found ? textOf(row.found) : '',
        row.job ?? '',
      ]),
      findings.length >= findingsCountMax ? bad + surplus : findings.length,
    ),
    ...section(
      'votes',
      ['file', 'registered', 'verdict'],
      votes.map((row) => [row.name, row.registered, textOf(row.message)]),
      wholeOf(votes, votesCountMax),
    ),
    ...section(
      'spots',
      ['file', 'when', 'verdict', 'answers'],
      spots.map((row) => [
        row.name,
        momentText(row.at),
        textFor(`report.spot.${row.verdict}`),
        row.answers
          .map(({ replica, kind, hmac, why }) => textFor('report.answer', { replica, kind, answer: hmac ?? why ?? '' }))
          .join('; '),
      ]),
      wholeOf(spots, spotsAlarmingCountMax),
    ),
    ...section(
      'aging',
      ['replica', 'file', 'finding', 'lastVerified', 'stored'],
      aging.map((row) => [
        row.replica,
        row.name,
        textFor(`report.aging.${row.finding}`),
        momentText(row.verified),
        momentText(row.stored),
      ]),
      sum(({ overdue }) => overdue),
    ),
  ]
}

function ndsa({ levels }: PreservationReport): string[] {
  return levels.flatMap(({ area, level, conditions, next }) => [
    titled(message('report.ndsa.level', { area, level })),
    next.length === 0
      ? ''
      : `${paragraph(message('report.ndsa.next', { level: level + 1 }))}<ul>${next.map((need) => `<li>${escapedHtml(textOf(need))}</li>`).join('')}</ul>`,
    table(
      ['level', 'condition', 'state'],
      conditions.map((row) => [row.level, textOf(row.requirement), textFor(`report.condition.${row.state}`)]),
    ),
  ])
}

function stateText(state: TaskState): string {
  return textOf(taskStates.rows[state].badge).toLowerCase()
}

/** The evidence in the report: the head of the audit log, and the checks. */
function proof({ audit, lastSpotCheck, checks }: PreservationReport): string[] {
  const spots = lastSpotCheck?.files.map(({ name, salt, verdict, answers }) => [
    name,
    textFor(`report.spot.${verdict}`),
    salt,
    answers.find(({ hmac }) => hmac !== null)?.hmac ?? '',
  ])
  return [
    heading('audit'),
    paragraph(audit.message),
    audit.head === null ? '' : paragraph(message('report.auditHead', { hash: audit.head })),
    ...section(
      'checks',
      ['check', 'kind', 'replicas', 'state', 'files', 'findings', 'ended'],
      checks.map((row) => [
        row.task,
        textFor(`report.check.${row.kind}`),
        row.replicas.join(', '),
        stateText(row.state),
        textFor('figure.doneOf', { done: row.filesDone, total: row.filesTotal }),
        row.findings,
        momentText(row.ended),
      ]),
      checks.length,
    ),
    ...section('lastSpot', ['file', 'verdict', 'salt', 'hmac'], spots ?? [], spots?.length ?? 0),
  ]
}

/** A table with its heading. `total`: number of all rows, where `rows` may contain only the first ones; undefined when unknown. */
function section(name: Section, columns: readonly Column[], rows: Cell[][], total?: number): string[] {
  if (rows.length === 0) return []
  const printed = rows.slice(0, printedRowsMax)
  return [heading(name), table(columns, printed), moreText(printed.length, rows.length, total)]
}

function moreText(printed: number, known: number, total: number | undefined): string {
  if (total === undefined) return paragraph(message('report.moreAtLeast', { count: known - printed }))
  return total > printed ? paragraph(message('report.more', { count: total - printed })) : ''
}

function heading(name: Section): string {
  return titled(message(`report.section.${name}`))
}

function titled(title: Message): string {
  return `<h2>${escapedHtml(textOf(title))}</h2>`
}

function paragraph(text: Message, style?: 'met' | 'notMet'): string {
  return `<p${style ? ` class="${style}"` : ''}>${escapedHtml(textOf(text))}</p>`
}

function table(columns: readonly Column[], rows: Cell[][]): string {
  return printedTable(
    columns.map((column) => textFor(`report.column.${column}`)),
    rows.map((row) => row.map((cell) => escapedHtml(String(cell)))),
  )
}

function momentText(iso: string | null): string {
  return iso === null ? textFor('report.never') : `${iso.slice(0, 16).replace('T', ' ')} UTC`
}
