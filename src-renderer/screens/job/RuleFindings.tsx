/** The findings of one rule in an import: its explanation, and its occurrences when they are requested. */
import { Button, Text } from '@mantine/core'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useEffect, useId, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { FileFinding } from '../../../src-main/contract/services/fileFindings.ts'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useFormats } from '../../parts/formats.ts'
import { PagedTable } from '../../parts/PagedTable.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { ruleWords } from '../findings/ruleWords.ts'
import { SeverityBadge, type Severity } from '../findings/severity.tsx'
import styles from './job.module.css'

interface RuleFindingsProps {
  job: number
  file: string | null
  rule: string
  severity: Severity
  /** Number of all occurrences, including those that are not kept. */
  count: number
  revision: number
  /** Files whose records can be viewed. */
  inArchive: ReadonlySet<string>
}

export function RuleFindings({ job, file, rule, severity, count, revision, inArchive }: RuleFindingsProps) {
  const t = useWords()
  const formats = useFormats()
  const { services } = useSession()
  const [open, setOpen] = useState(false)
  const placesId = useId()
  const pages = useMemo(
    () =>
      makePages((page) => services.harvests.importFindings({ job, rule, ...(file === null ? {} : { file }), ...page })),
    [services, job, rule, file],
  )
  useEffect(() => pages.getState().refresh(), [pages, revision])
  const { rows, total, fault, refresh } = useStore(pages)
  const first = rows.get(0)
  const columns = usePlaceColumns(inArchive)
  return (
    <article className="card rule" aria-label={ruleWords(rule)}>
      <div className={styles.ruleHead}>
        <SeverityBadge severity={severity} />
        <h3>{ruleWords(rule)}</h3>
        <span className={`${styles.ruleCount} tabular`}>{t('imported.times', { count })}</span>
        <Button
          size="xs"
          variant="default"
          leftSection={open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          aria-expanded={open}
          aria-controls={placesId}
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'imported.places.hide' : 'imported.places.show')}
        </Button>
      </div>
      {fault && <FaultNote fault={fault} onRetry={refresh} />}
      {first && (
        <>
          <Text size="sm" maw="75ch">
            {t(first.means)}
          </Text>
          <p className={`dimmed ${styles.ruleClause}`}>
            {first.clause} · <span className="mono">{rule}</span>
          </p>
        </>
      )}
      <div id={placesId} className={styles.rulePlaces}>
        {open && (
          <>
            {total !== undefined && total < count && (
              <Text size="sm">{t('imported.places.first', { kept: formats.count(total), count })}</Text>
            )}
            <PagedTable
              label={t('imported.places', { rule: ruleWords(rule) })}
              pages={pages}
              columns={columns}
              heightMax={320}
              empty={null}
            />
          </>
        )}
      </div>
    </article>
  )
}

function usePlaceColumns(inArchive: ReadonlySet<string>): Column<FileFinding>[] {
  const t = useWords()
  const { count } = useFormats()
  return useMemo(
    () => [
      {
        id: 'message',
        head: t('finding.found'),
        value: ({ message }) => t(message),
        cell: ({ message }) => <span title={t(message)}>{t(message)}</span>,
      },
      {
        id: 'file',
        head: t('files.name'),
        value: ({ file }) => file,
        cell: ({ file }) => <span title={file}>{file}</span>,
        width: 280,
      },
      {
        id: 'record',
        head: t('record.number'),
        value: ({ record }) => record,
        cell: ({ record }) => (record === null ? '–' : count(record)),
        numeric: true,
        width: 90,
      },
      {
        id: 'offset',
        head: t('record.offset'),
        value: ({ offset }) => offset,
        cell: ({ file, record, offset }) => {
          if (offset === null) return '–'
          if (record === null || !inArchive.has(file)) return count(offset)
          const href = hrefOf({ place: 'record', file, offset, number: record })
          return (
            <a href={href} aria-label={t('imported.inspect', { offset })}>
              {count(offset)}
            </a>
          )
        },
        numeric: true,
        width: 130,
      },
    ],
    [t, count, inArchive],
  )
}
