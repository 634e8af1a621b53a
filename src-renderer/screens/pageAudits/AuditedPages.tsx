/** The pages of an audit by their risk, and the one that is chosen in all detail. */
import { Group, Switch } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { useStore } from 'zustand'
import { useCallback, useEffect, useMemo, useState } from 'react'
import {
  auditedPageOrders,
  type AuditedPage,
  type AuditedPageOrder,
  type PageAuditSummary,
} from '../../../src-main/contract/services/pageAudits.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FilteredPages } from '../../parts/FilteredPages.tsx'
import { Section } from '../../parts/Section.tsx'
import { typingPauseMs } from '../../parts/typing.ts'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { useAuditedPageColumns } from './auditedPageColumns.tsx'
import { JobVerdict } from './JobVerdict.tsx'
import { PageDetails } from './PageDetails.tsx'

/** Mounted again for another audit (by its key). */
export function AuditedPages({ audit: { task: audit, job, filesDone, request } }: { audit: PageAuditSummary }) {
  const t = useWords()
  const { services } = useSession()
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), typingPauseMs)
  const [isFaulty, setFaulty] = useState(false)
  const [isUnjudged, setUnjudged] = useState(false)
  const [judged, setJudged] = useState(0)
  const [order, setOrder] = useState<{ id: AuditedPageOrder; descending: boolean }>({ id: 'risk', descending: true })
  const [chosen, setChosen] = useState<number | null>(null)
  const fetchPage = useCallback(
    (page: { offset: number; limit: number }) =>
      services.pageAudits.pages({
        audit,
        text,
        isFaulty,
        isUnjudged,
        sort: order.id,
        descending: order.descending,
        ...page,
      }),
    [services, audit, text, isFaulty, isUnjudged, order],
  )
  const pages = useMemo(() => makePages(fetchPage), [fetchPage])
  useEffect(() => pages.getState().refresh(), [pages, filesDone, judged])
  const neighbour = useNeighbours(useStore(pages).rows, chosen, setChosen)
  useHotkeys([
    ['n', () => neighbour.next?.()],
    ['p', () => neighbour.previous?.()],
  ])
  return (
    <>
      <JobVerdict job={job} round={judged} />
      <Section title={t('pageAudits.pages')}>
        <FilteredPages
          label={t('pageAudits.pages')}
          columns={useAuditedPageColumns(setChosen, request.compareWith !== undefined)}
          pages={pages}
          fetchPage={fetchPage}
          text={{ value: typed, label: t('pageAudits.filter'), onChange: setTyped }}
          sorting={{
            by: auditedPageOrders,
            ...order,
            onSort: (id, descending) =>
              setOrder({ id: auditedPageOrders.find((known) => known === id) ?? 'risk', descending }),
          }}
          heightMax={520}
          aside={
            <Group gap="md">
              <Switch
                label={t('pageAudits.isFaulty')}
                checked={isFaulty}
                onChange={(event) => setFaulty(event.currentTarget.checked)}
              />
              <Switch
                label={t('verdicts.isUnjudged')}
                checked={isUnjudged}
                onChange={(event) => setUnjudged(event.currentTarget.checked)}
              />
            </Group>
          }
          empty={<EmptyState title={t('pageAudits.pages.none')} text={t('pageAudits.pages.none.text')} />}
        />
      </Section>
      {chosen !== null && (
        <PageDetails
          key={chosen}
          page={chosen}
          onClose={() => setChosen(null)}
          onJudged={() => setJudged((round) => round + 1)}
          onPrevious={neighbour.previous}
          onNext={neighbour.next}
        />
      )}
    </>
  )
}

/** The pages before and after the chosen one among the rows that are loaded. A page that has left the list, because it was judged, keeps its place. */
function useNeighbours(
  rows: ReadonlyMap<number, AuditedPage>,
  chosen: number | null,
  onChoose: (page: number) => void,
): { previous: (() => void) | undefined; next: (() => void) | undefined } {
  const [place, setPlace] = useState(-1)
  const found = [...rows].find(([, { id }]) => id === chosen)?.[0]
  useEffect(() => void (found !== undefined && setPlace(found)), [found])
  const chooser = (at: number) => {
    const row = chosen === null ? undefined : rows.get(at)
    return row && (() => onChoose(row.id))
  }
  return { previous: chooser((found ?? place) - 1), next: chooser(found === undefined ? place : found + 1) }
}
