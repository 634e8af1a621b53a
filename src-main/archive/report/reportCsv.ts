/** Formats a report as one CSV table (RFC 4180), with a row for each item. */
import { textOf } from '../../contract/words/render.ts'
import type { PreservationReport } from '../../contract/services/archiveStatus.ts'
import { lostText } from '../../contract/text/lostText.ts'
import { csvRow } from '../../files/export/csvOut.ts'

type Row = [section: string, replica: string, subject: string, item: string, value: string | number, note: string]

export function reportCsv(report: PreservationReport): string {
  const rows: Row[] = [
    ['section', 'replica', 'subject', 'item', 'value', 'note'],
    ...overall(report),
    ...report.lost.map((row): Row => [
      'lost',
      '',
      row.name,
      'lost',
      row.bytes,
      row.job === null ? '' : `job ${row.job}`,
    ]),
    ...report.replicas.flatMap(ofReplica),
    ...ofBackups(report),
    ...report.findings.map((row): Row => [
      'finding',
      row.replica,
      row.name,
      row.finding,
      row.found ? textOf(row.found) : '',
      row.expected ? textOf(row.expected) : '',
    ]),
    ...report.votes.map((row): Row => [
      'vote',
      '',
      row.name,
      row.registeredVerdict,
      row.winner ?? '',
      textOf(row.message),
    ]),
    ...report.spots.map((row): Row => ['spot', '', row.name, row.verdict, row.salt, row.at]),
    ...report.aging.map((row): Row => ['age', row.replica, row.name, row.finding, row.verified ?? 'never', row.stored]),
    ...report.checks.map((row): Row => {
      return ['check', row.replicas.join(' '), String(row.task), row.kind, row.state, row.ended ?? '']
    }),
    ...report.levels.flatMap(ofArea),
  ]
  return rows.map(csvRow).join('')
}

function overall({
  at,
  archive,
  software,
  fine,
  files,
  bytes,
  overdueDays,
  audit,
  lostTotal,
}: PreservationReport): Row[] {
  const items: [string, string | number, string][] = [
    ['made', at, software],
    ['archive', archive, ''],
    ['fine', String(fine), ''],
    ['lostFiles', lostTotal, lostTotal === 0 ? '' : lostText(lostTotal)],
    ['files', files, ''],
    ['bytes', bytes, ''],
    ['overdueDays', overdueDays, ''],
    ['auditEntries', audit.entries, textOf(audit.message)],
    ['auditHead', audit.head ?? '', ''],
  ]
  return items.map(([item, value, note]) => ['overall', '', '', item, value, note])
}

function ofReplica(row: PreservationReport['replicas'][number]): Row[] {
  const items: [string, string | number][] = [
    ['kind', row.kind],
    ['folder', row.folder],
    ['place', row.place ?? ''],
    ['reachable', String(row.reachable)],
    ['files', row.files],
    ['bytes', row.bytes ?? ''],
    ['freeBytes', row.freeBytes ?? ''],
    ['missing', row.missing],
    ['corrupt', row.corrupt],
    ['notStored', row.notStored],
    ['neverChecked', row.neverChecked],
    ['overdue', row.overdue],
    ['oldestVerified', row.oldestVerified ?? ''],
    ['lastMissingCheck', row.lastMissingCheck ?? ''],
    ['lastChecksumCheck', row.lastChecksumCheck ?? ''],
  ]
  return items.map(([item, value]) => ['replica', row.replica, '', item, value, ''])
}

function ofBackups({ backup }: PreservationReport): Row[] {
  const { folder, last, kept, bytes, apart, findings } = backup
  const items: [string, string | number][] = [
    ['folder', folder],
    ['last', last?.made ?? ''],
    ['confirmed', last?.confirmed ?? ''],
    ['kept', kept],
    ['bytes', bytes],
    ['apart', String(apart ?? '')],
  ]
  return [
    ...items.map(([item, value]): Row => ['backup', '', last?.name ?? '', item, value, '']),
    ...findings.map(({ kind, name, message }): Row => ['backupFinding', '', name ?? '', kind, '', textOf(message)]),
  ]
}

function ofArea({ area, level, conditions }: PreservationReport['levels'][number]): Row[] {
  return [
    ['ndsa', '', area, 'level', level, ''],
    ...conditions.map((row): Row => [
      'ndsa',
      '',
      area,
      `${row.level} ${row.id}`,
      row.state,
      `${textOf(row.requirement)} ${row.state === 'notMet' ? textOf(row.need) : ''}`.trim(),
    ]),
  ]
}
