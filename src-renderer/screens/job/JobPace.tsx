/** How fast the current or last run is, or was: URLs and bytes per second over its working time, as a picture and as a table. */
import { useMemo } from 'react'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { TwoLines } from '../../parts/TwoLines.tsx'
import type { Pace } from '../../state/jobPaces.ts'
import { useWords } from '../../words/words.tsx'
import { useJobPaces } from './useJobPaces.ts'
import styles from './job.module.css'

/** A line needs two points. */
const drawnMin = 2

export function JobPace({ job }: { job: JobWhole }) {
  const t = useWords()
  const { perSecond, bytesPerSecond, duration } = useFormats()
  const paces = useJobPaces(job)
  const lines = useMemo(
    () =>
      [
        { name: t('pace.urls'), amounts: paces.map((pace) => pace.documentsPerSecond), format: perSecond },
        { name: t('pace.bytes'), amounts: paces.map((pace) => pace.bytesPerSecond), format: bytesPerSecond },
      ] as const,
    [t, paces, perSecond, bytesPerSecond],
  )
  const at = useMemo(() => paces.map(({ seconds }) => seconds), [paces])
  if (paces.length < drawnMin) return null
  return (
    <Section title={t('pace.title')}>
      <TwoLines label={t('pace.picture')} at={at} atFormat={duration} lines={lines} />
      <details className={styles.paceTable}>
        <summary>{t('pace.table')}</summary>
        <PaceTable paces={paces} />
      </details>
    </Section>
  )
}

function PaceTable({ paces }: { paces: Pace[] }) {
  const t = useWords()
  const { perSecond, bytesPerSecond, duration } = useFormats()
  const columns = useMemo(
    (): Column<Pace>[] => [
      {
        ...{ id: 'seconds', head: t('job.elapsed'), numeric: true },
        value: ({ seconds }) => seconds,
        cell: ({ seconds }) => duration(seconds),
      },
      {
        ...{ id: 'documents', head: t('pace.urls'), numeric: true },
        value: (pace) => pace.documentsPerSecond,
        cell: (pace) => perSecond(pace.documentsPerSecond),
      },
      {
        ...{ id: 'bytes', head: t('pace.bytes'), numeric: true },
        value: (pace) => pace.bytesPerSecond,
        cell: (pace) => bytesPerSecond(pace.bytesPerSecond),
      },
    ],
    [t, perSecond, bytesPerSecond, duration],
  )
  return (
    <Table
      label={t('pace.title')}
      rows={paces}
      columns={columns}
      rowKey={({ seconds }) => seconds}
      sortedBy={{ id: 'seconds', desc: false }}
      heightMax={280}
    />
  )
}
