/** Formats a report as one printable HTML page without scripts or external resources; all text is escaped. */
import type { PreservationReport } from '../../contract/services/archiveStatus.ts'
import { joined } from '../../contract/words/joined.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { escapedHtml } from '../../contract/text/escapedHtml.ts'
import { taskStates, type TaskState } from '../../contract/states/taskStates.ts'
import { lostText } from '../../contract/text/lostText.ts'
import { findingsCountMax, spotsAlarmingCountMax, votesCountMax } from '../files/limits.ts'

/** Maximum number of printed rows of one table. The CSV and the JSON contain more (`limits.ts`). */
const printedRowsMax = 500

type Cell = string | number

export function reportHtml(report: PreservationReport): string {
  const title = `Preservation report of ${report.archive}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapedHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapedHtml(title)}</h1>
${paragraph(message('report.created', { at: momentText(report.at), software: report.software }))}
${report.fine ? paragraph(message('report.fine'), 'met') : paragraph(message('report.notFine'), 'notMet')}
${[...lostFiles(report), ...overview(report), ...backups(report), ...trouble(report), ...ndsa(report), ...proof(report)].join('\n')}
</body>
</html>
`
}

function lostFiles({ lost, lostTotal }: PreservationReport): string[] {
  if (lostTotal === 0) return []
  return [
    `<p class="notMet">${escapedHtml(lostText(lostTotal))}.</p>`,
    ...section(
      'Lost files',
      ['File', 'Bytes', 'Job'],
      lost.map((row) => [row.name, row.bytes.toLocaleString('en'), row.job ?? '']),
      lostTotal,
    ),
  ]
}

function overview({ files, bytes, overdueDays, replicas }: PreservationReport): string[] {
  const header = [
    'Replica',
    'Place',
    'Files',
    'Bytes',
    'Missing',
    'Damaged',
    'Not stored',
    'Never checked',
    'Overdue',
    'Last checksum check',
  ]
  const rows = replicas.map((row) => [
    `${row.replica}${row.kind === 'checksums' ? ' (checksums only)' : ''}${row.reachable ? '' : ' (not reachable)'}`,
    row.place ?? 'no location set',
    row.files,
    row.bytes?.toLocaleString('en') ?? 'unknown',
    row.missing,
    row.corrupt,
    row.notStored,
    row.neverChecked,
    row.overdue,
    momentText(row.lastChecksumCheck),
  ])
  return [`<h2>Replicas</h2>`, paragraph(message('report.size', { files, bytes, overdueDays })), table(header, rows)]
}

function backups({ backup }: PreservationReport): string[] {
  const { last, folder, kept, bytes, findings, apart } = backup
  const backupsText = message('report.backups', { kept, bytes, folder, apart: String(apart) })
  const latest = last && { made: momentText(last.made), confirmed: momentText(last.confirmed) }
  return [
    '<h2>Backups of the database</h2>',
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
      'Findings',
      ['Replica', 'File', 'Finding', 'Expected', 'Found', 'Job'],
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
      'Votes',
      ['File', 'Registered SHA-256', 'Verdict'],
      votes.map((row) => [row.name, row.registered, textOf(row.message)]),
      wholeOf(votes, votesCountMax),
    ),
    ...section(
      'Spot checks with findings',
      ['File', 'When', 'Verdict', 'Answers'],
      spots.map((row) => [
        row.name,
        momentText(row.at),
        verdictWords[row.verdict],
        row.answers
          .map(({ replica, kind, hmac, why }) => `${replica} ${kind}: ${hmac ?? (why ? textOf(why) : '')}`)
          .join('; '),
      ]),
      wholeOf(spots, spotsAlarmingCountMax),
    ),
    ...section(
      'Copies that are not verified or overdue',
      ['Replica', 'File', 'Finding', 'Last verified', 'Stored'],
      aging.map((row) => [
        row.replica,
        row.name,
        agingWords[row.finding],
        momentText(row.verified),
        momentText(row.stored),
      ]),
      sum(({ overdue }) => overdue),
    ),
  ]
}

function ndsa({ levels }: PreservationReport): string[] {
  return levels.flatMap(({ area, level, conditions, next }) => [
    `<h2>NDSA level of ${area}: ${level}</h2>`,
    next.length === 0
      ? ''
      : `${paragraph(message('report.ndsa.next', { level: level + 1 }))}<ul>${next.map((need) => `<li>${escapedHtml(textOf(need))}</li>`).join('')}</ul>`,
    table(
      ['Level', 'Condition', 'State'],
      conditions.map((row) => [row.level, textOf(row.requirement), stateWords[row.state]]),
    ),
  ])
}

const verdictWords: Record<PreservationReport['spots'][number]['verdict'], string> = {
  agree: 'the replicas agree',
  differ: 'the replicas differ',
  failed: 'a replica did not answer',
  single: 'only one replica could be asked',
  none: 'no replica could be asked',
}
const agingWords = { neverChecked: 'never checked', overdue: 'overdue' }
const checkWords = { missing: 'missing files', checksums: 'checksums' }

function stateText(state: TaskState): string {
  return textOf(taskStates.rows[state].badge).toLowerCase()
}

const stateWords = { met: 'met', declared: 'declared by the institution', notMet: 'not met' }

/** The evidence in the report: the head of the audit trail, and the checks. */
function proof({ audit, lastSpotCheck, checks }: PreservationReport): string[] {
  const spots = lastSpotCheck?.files.map(({ name, salt, verdict, answers }) => [
    name,
    verdictWords[verdict],
    salt,
    answers.find(({ hmac }) => hmac !== null)?.hmac ?? '',
  ])
  return [
    `<h2>Audit log</h2>`,
    paragraph(audit.message),
    audit.head === null ? '' : `<p>Hash of the last entry: <code>${escapedHtml(audit.head)}</code></p>`,
    ...section(
      'Last checks',
      ['Check', 'Kind', 'Replicas', 'State', 'Files', 'Findings', 'Ended'],
      checks.map((row) => [
        row.task,
        checkWords[row.kind],
        row.replicas.join(', '),
        stateText(row.state),
        `${row.filesDone} of ${row.filesTotal}`,
        row.findings,
        momentText(row.ended),
      ]),
      checks.length,
    ),
    ...section('Last spot check', ['File', 'Verdict', 'Salt', 'HMAC-SHA-256'], spots ?? [], spots?.length ?? 0),
  ]
}

/** A table with its heading. `total`: number of all rows, where `rows` may contain only the first ones; undefined when unknown. */
function section(title: string, header: string[], rows: Cell[][], total?: number): string[] {
  if (rows.length === 0) return []
  const printed = rows.slice(0, printedRowsMax)
  return [`<h2>${escapedHtml(title)}</h2>`, table(header, printed), moreText(printed.length, rows.length, total)]
}

function moreText(printed: number, known: number, total: number | undefined): string {
  if (total === undefined) return paragraph(message('report.moreAtLeast', { count: known - printed }))
  return total > printed ? paragraph(message('report.more', { count: total - printed })) : ''
}

function paragraph(text: Message, style?: 'met' | 'notMet'): string {
  return `<p${style ? ` class="${style}"` : ''}>${escapedHtml(textOf(text))}</p>`
}

function table(header: string[], rows: Cell[][]): string {
  const head = header.map((cell) => `<th scope="col">${escapedHtml(cell)}</th>`).join('')
  const body = rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escapedHtml(String(cell))}</td>`).join('')}</tr>`)
    .join('\n')
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`
}

function momentText(iso: string | null): string {
  return iso === null ? 'never' : `${iso.slice(0, 16).replace('T', ' ')} UTC`
}

const style = `
body { font: 11pt/1.4 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 1.6rem; }
table { border-collapse: collapse; width: 100%; font-size: 9pt; }
th, td { border: 1px solid #999; padding: 0.2rem 0.4rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { overflow-wrap: normal; } thead { display: table-header-group; } tr { break-inside: avoid; } h2 { break-after: avoid; }
.met::before { content: '\\2713\\00a0'; } .notMet { font-weight: bold; } .notMet::before { content: '!\\00a0'; }
@media print { body { margin: 0; max-width: none; } }
`
