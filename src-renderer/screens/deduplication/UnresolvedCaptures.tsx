/** Captures whose content is not in the archive. */
import { useMemo } from 'react'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { LongAddress } from '../../parts/LongAddress.tsx'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { useWords } from '../../words/words.tsx'

type Unresolved = Awaited<ReturnType<Loupe['deduplication']['verify']>>['unresolved']['rows'][number]

export function UnresolvedCaptures({ rows, total }: { rows: readonly Unresolved[]; total: number }) {
  const t = useWords()
  const { count } = useFormats()
  const columns = useMemo(
    (): Column<Unresolved>[] => [
      {
        ...{ id: 'url', head: t('dedup.unresolved.url'), stays: true },
        value: ({ url }) => url,
        cell: ({ url }) => <LongAddress address={url} />,
      },
      {
        ...{ id: 'captured', head: t('dedup.unresolved.captured'), width: 172 },
        value: ({ captured }) => captured,
        cell: ({ captured }) => timeUtc(captured),
      },
      {
        ...{ id: 'job', head: t('dedup.unresolved.job'), numeric: true, width: 72 },
        value: ({ job }) => job,
        cell: ({ job }) => (job === null ? '–' : <a href={hrefOf({ place: 'job', job })}>{job}</a>),
      },
      {
        ...{ id: 'why', head: t('dedup.unresolved.why'), wraps: true },
        value: ({ why }) => t(why),
      },
    ],
    [t],
  )
  return (
    <Section title={`${t('dedup.unresolved')} (${total})`}>
      <Table
        label={t('dedup.unresolved')}
        rows={rows}
        columns={columns}
        rowKey={({ file, url, captured }) => `${file} ${captured} ${url}`}
        heightMax={320}
      />
      {total > rows.length && (
        <p className="dimmed">{t('dedup.unresolved.more', { shown: count(rows.length), total: count(total) })}</p>
      )}
    </Section>
  )
}
