/** Which files have the content of captures in other records, and what would be lost with each. */
import { Text } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { Await } from '../../parts/Await.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

type Reference = Awaited<ReturnType<Loupe['deduplication']['references']>>['rows'][number]

/** Rows that one answer may hold. */
const rowsMax = 1_000

export function References() {
  const t = useWords()
  const { services } = useSession()
  const { count } = useFormats()
  const ask = useCallback(() => services.deduplication.references({ limit: rowsMax }), [services])
  const [references, reload] = useLoaded(ask)
  const columns = useReferenceColumns()
  return (
    <Section title={t('dedup.references')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('dedup.references.text')}
      </Text>
      <Await of={references} onRetry={reload}>
        {({ rows, total }) => (
          <>
            <Table
              label={t('dedup.references')}
              rows={rows}
              columns={columns}
              rowKey={({ file, job }) => `${job ?? ''} ${file}`}
              heightMax={360}
            />
            {total > rows.length && (
              <p className="dimmed">{t('dedup.references.more', { shown: count(rows.length), total: count(total) })}</p>
            )}
          </>
        )}
      </Await>
    </Section>
  )
}

function useReferenceColumns(): Column<Reference>[] {
  const t = useWords()
  const { count, bytes } = useFormats()
  return useMemo((): Column<Reference>[] => {
    const job = (id: 'fileJob' | 'job'): Column<Reference> => ({
      ...{ id, head: t(`dedup.references.${id}`), numeric: true, width: id === 'job' ? 180 : 90 },
      value: (row) => row[id],
      cell: (row) => (row[id] === null ? '–' : <a href={hrefOf({ place: 'job', job: row[id] })}>{row[id]}</a>),
    })
    const amount = (id: 'captures' | 'onlyHere'): Column<Reference> => ({
      ...{ id, head: t(`dedup.references.${id}`), numeric: true, width: 140 },
      value: (row) => row[id],
      cell: (row) => count(row[id]),
    })
    return [
      {
        ...{ id: 'file', head: t('dedup.references.file'), stays: true },
        value: ({ file }) => file,
        cell: ({ file }) => <a href={hrefOf({ place: 'file', file })}>{file}</a>,
      },
      job('fileJob'),
      job('job'),
      amount('captures'),
      amount('onlyHere'),
      {
        ...{ id: 'bytes', head: t('dedup.references.bytes'), numeric: true, width: 110 },
        value: (row) => row.bytes,
        cell: (row) => bytes(row.bytes),
      },
    ]
  }, [t, count, bytes])
}
