/** The audits of a job, newest first. */
import { useMemo } from 'react'
import type { PageAuditSummary } from '../../../src-main/contract/services/pageAudits.ts'
import { timeUtc } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { TaskBadge } from '../../parts/tone.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { useWords } from '../../words/words.tsx'

export function AuditList({ list, shown }: { list: readonly PageAuditSummary[]; shown: number }) {
  const t = useWords()
  const columns = useMemo<Column<PageAuditSummary>[]>(
    () => [
      {
        id: 'audit',
        head: t('pageAudits.audit'),
        value: ({ task }) => task,
        cell: ({ task, job }) => (
          <a
            href={hrefOf({ place: 'pageAudits', job, audit: task })}
            aria-current={task === shown ? 'page' : undefined}
          >
            {t('pageAudits.audit.number', { audit: task })}
          </a>
        ),
        width: 130,
      },
      {
        id: 'state',
        head: t('pageAudits.state'),
        value: ({ state }) => state,
        cell: (audit) => <TaskBadge task={audit} />,
        width: 190,
      },
      { id: 'started', head: t('pageAudits.started'), value: ({ started }) => timeUtc(started), width: 180 },
      { id: 'pages', head: t('pageAudits.pages'), value: ({ filesDone }) => filesDone, numeric: true, width: 110 },
      { id: 'faulty', head: t('pageAudits.faulty'), value: ({ findings }) => findings, numeric: true, width: 130 },
      { id: 'missing', head: t('pageAudits.missing'), value: ({ figures }) => figures.missing, numeric: true, width: 110 }, // prettier-ignore
      { id: 'bad', head: t('pageAudits.bad'), value: ({ figures }) => figures.bad, numeric: true, width: 110 },
    ],
    [t, shown],
  )
  return (
    <Section title={t('pageAudits.list')}>
      <Table
        label={t('pageAudits.list')}
        rows={list}
        columns={columns}
        rowKey={({ task }) => task}
        empty={null}
        heightMax={180}
      />
    </Section>
  )
}
