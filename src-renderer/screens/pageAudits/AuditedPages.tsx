/** The pages of an audit by their risk, and the one that is chosen in all detail. */
import { Switch } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useCallback, useEffect, useMemo, useState } from 'react'
import {
  auditedPageOrders,
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
import { PageDetails } from './PageDetails.tsx'

/** Mounted again for another audit (by its key). */
export function AuditedPages({ audit: { task: audit, filesDone, request } }: { audit: PageAuditSummary }) {
  const t = useWords()
  const { services } = useSession()
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), typingPauseMs)
  const [isFaulty, setFaulty] = useState(false)
  const [order, setOrder] = useState<{ id: AuditedPageOrder; descending: boolean }>({ id: 'risk', descending: true })
  const [chosen, setChosen] = useState<number | null>(null)
  const fetchPage = useCallback(
    (page: { offset: number; limit: number }) =>
      services.pageAudits.pages({ audit, text, isFaulty, sort: order.id, descending: order.descending, ...page }),
    [services, audit, text, isFaulty, order],
  )
  const pages = useMemo(() => makePages(fetchPage), [fetchPage])
  useEffect(() => pages.getState().refresh(), [pages, filesDone])
  return (
    <>
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
            <Switch
              label={t('pageAudits.isFaulty')}
              checked={isFaulty}
              onChange={(event) => setFaulty(event.currentTarget.checked)}
            />
          }
          empty={<EmptyState title={t('pageAudits.pages.none')} text={t('pageAudits.pages.none.text')} />}
        />
      </Section>
      {chosen !== null && <PageDetails key={chosen} page={chosen} onClose={() => setChosen(null)} />}
    </>
  )
}
