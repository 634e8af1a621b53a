/** The numbers of the report, for all replicas and for each of them. */
import { Text } from '@mantine/core'
import type { PreservationReport } from '../../../src-main/contract/services/archiveStatus.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { undecided } from '../copies/concerns.ts'
import { ReportTable } from './ReportTable.tsx'

export function Overall({ report }: { report: PreservationReport }) {
  const t = useWords()
  const { count, bytes } = useFormats()
  const { replicas, findings, overdueDays } = report
  const sum = (of: (replica: PreservationReport['replicas'][number]) => number) =>
    replicas.reduce((total, replica) => total + of(replica), 0)
  const { bad, late } = useToned()
  return (
    <Section title={t('report.overall')}>
      <div className="card">
        <Facts
          facts={[
            { name: t('report.files'), value: count(report.files) },
            { name: t('report.bytes'), value: bytes(report.bytes) },
            { name: t('report.replicas'), value: count(replicas.length) },
            { name: t('report.findings'), value: bad(findings.length) },
            { name: t('report.lost'), value: bad(report.lostTotal) },
            { name: t('report.undecided'), value: bad(undecided(report).length) },
            { name: t('report.neverChecked'), value: count(sum(({ neverChecked }) => neverChecked)) },
            { name: t('report.overdue'), value: late(sum(({ overdue }) => overdue)) },
          ]}
        />
        <Text size="sm" c="dimmed" mt="sm" maw="75ch">
          {t('report.overdue.meaning', { days: overdueDays })}
        </Text>
      </div>
    </Section>
  )
}

export function PerReplica({ report: { replicas } }: { report: PreservationReport }) {
  const t = useWords()
  const { count, bytes } = useFormats()
  const { bad, late } = useToned()
  const moment = (time: string | null) => (time === null ? t('report.notYet') : timeUtc(time).slice(0, 16))
  return (
    <Section title={t('report.replicas')}>
      <ReportTable
        label={t('report.replicas')}
        heads={[
          t('report.replica'),
          t('report.place'),
          t('report.files'),
          t('report.bytes'),
          t('report.missing'),
          t('report.corrupt'),
          t('report.notStored'),
          t('report.never'),
          t('report.late'),
          t('report.lastMissing'),
          t('report.lastChecksums'),
          t('report.oldest'),
        ]}
        rows={replicas.map((row) => ({
          key: row.replica,
          cells: [
            named(row),
            row.place ?? t('report.place.none'),
            count(row.files),
            row.bytes === null ? t('archive.unknown') : bytes(row.bytes),
            bad(row.missing),
            bad(row.corrupt),
            bad(row.notStored),
            count(row.neverChecked),
            late(row.overdue),
            moment(row.lastMissingCheck),
            moment(row.lastChecksumCheck),
            moment(row.oldestVerified),
          ],
        }))}
      />
    </Section>
  )

  function named({ replica, kind, reachable }: PreservationReport['replicas'][number]): string {
    if (!reachable) return t('report.unreachable', { replica })
    return kind === 'checksums' ? t('report.checksumsOnly', { replica }) : replica
  }
}

/** Formats numbers that should be zero, with a tone where they are not. */
function useToned() {
  const { count } = useFormats()
  const toned = (tone: Tone) => (number: number) =>
    number > 0 ? <ToneBadge key={tone} tone={tone} text={count(number)} /> : count(number)
  return { bad: toned('failed'), late: toned('attention') }
}
