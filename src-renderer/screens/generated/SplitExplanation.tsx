/** Why the configurations of a job are in it, how many objects were expected of each, and why the next one is in another job. */
import { Text } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import { Await } from '../../parts/Await.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import { useSession } from '../../state/session.tsx'
import { allRows } from '../../state/allRows.ts'
import { useWords } from '../../words/words.tsx'
import type { Loupe } from '../../../src-main/contract/contract.ts'

type Explanation = Awaited<ReturnType<Loupe['generatedJobs']['explain']>>
type Explained = Explanation['rows'][number]

/** More than a job may have (`generation.configurationsMax`). */
const rowsMax = 100_000

export function SplitExplanation({ job }: { job: number }) {
  const t = useWords()
  const { services } = useSession()
  const ask = useCallback(async () => {
    let next: Explanation['next'] = null
    const fetchPage = async (page: { offset: number; limit: number }) => {
      const explanation = await services.generatedJobs.explain({ job, ...page })
      next = explanation.next
      return explanation
    }
    const { rows } = await allRows(fetchPage, { perPage: 1_000, rowsMax })
    return { rows, next: next as Explanation['next'] }
  }, [services, job])
  const [explanation, reload] = useLoaded(ask)
  const columns = useColumns()
  return (
    <Await of={explanation} onRetry={reload}>
      {({ rows, next }) => (
        <>
          <Table
            label={t('generated.explain')}
            rows={rows}
            columns={columns}
            rowKey={({ domain, configuration }) => `${domain}/${configuration}`}
            heightMax={360}
            empty={null}
          />
          <Text mt="sm">
            {next === null
              ? t('generated.explain.last')
              : t('generated.explain.next', { ...next, reason: t(next.reason) })}
          </Text>
        </>
      )}
    </Await>
  )
}

function useColumns(): Column<Explained>[] {
  const t = useWords()
  const { count } = useFormats()
  return useMemo(
    (): Column<Explained>[] => [
      {
        ...{ id: 'domain', head: t('statistics.domain'), width: 260 },
        value: ({ domain, configuration }) => t('generated.explain.configuration', { domain, configuration }),
        cell: ({ domain, configuration }) => (
          <a href={hrefOf({ place: 'domain', domain })}>
            {t('generated.explain.configuration', { domain, configuration })}
          </a>
        ),
      },
      {
        ...{ id: 'expected', head: t('generated.expected'), numeric: true, width: 158 },
        value: ({ objectsExpected }) => objectsExpected,
        cell: ({ objectsExpected }) => count(objectsExpected),
      },
      {
        ...{ id: 'estimate', head: t('generated.explain.estimate'), wraps: true },
        value: ({ estimate }) => estimate.map((step) => t(step)).join(' '),
      },
    ],
    [t, count],
  )
}
