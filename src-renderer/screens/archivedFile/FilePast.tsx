/** History of the file: its entries in the attic and in the audit log. */
import { useMemo, useState } from 'react'
import type { AuditEntry } from '../../../src-main/contract/services/audit.ts'
import type { FileHistory } from '../../../src-main/contract/services/archivedFiles.ts'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useWords } from '../../words/words.tsx'
import { listedMax } from '../copies/listedMax.ts'
import { entryWords } from '../audit/entryWords.ts'
import { EntryDetails } from '../audit/EntryDetails.tsx'
import { entryNumberColumn } from '../audit/entryNumber.tsx'
import { Actor } from '../audit/EntryLinks.tsx'
import { hrefOf } from '../../routes/routes.ts'
import styles from './archivedFile.module.css'

export function FileAttic({ history: { attic } }: { history: FileHistory }) {
  const t = useWords()
  return (
    <Section
      title={t('archivedFile.attic')}
      actions={attic.length > 0 && <a href={hrefOf({ place: 'archive', tab: 'attic' })}>{t('archivedFile.toAttic')}</a>}
    >
      {attic.length === 0 ? (
        <p className="dimmed">{t('archivedFile.attic.none')}</p>
      ) : (
        <ul className={styles.fileAttic}>
          {attic.map(({ id, replica, at, reason, where, restoredAs }) => (
            <li key={id} className="card">
              <p>
                {t('archivedFile.attic.entry', { id, replica, at: timeUtc(at) })} {t(reason)}
              </p>
              {where !== null && (
                <p className="with-copy">
                  <span className="mono wrap">{where}</span>
                  <CopyAction text={where} what={t('archivedFile.attic.where')} />
                </p>
              )}
              {restoredAs !== null && (
                <p>
                  {t('archivedFile.attic.restoredAs')}{' '}
                  <a href={hrefOf({ place: 'file', file: restoredAs })}>{restoredAs}</a>
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

export function FileAudit({ history: { audit } }: { history: FileHistory }) {
  const t = useWords()
  const formats = useFormats()
  const [shown, setShown] = useState<AuditEntry | null>(null)
  const columns = useMemo<Column<AuditEntry>[]>(() => {
    const wordsOf = (entry: AuditEntry) => entryWords({ t, formats }, entry)
    return [
      entryNumberColumn({ t, formats }, setShown),
      { id: 'at', head: t('audit.at'), value: ({ at }) => timeUtc(at), width: 172 },
      {
        id: 'what',
        head: t('audit.what'),
        value: (entry) => wordsOf(entry).what,
        cell: (entry) => <span title={wordsOf(entry).what}>{wordsOf(entry).what}</span>,
      },
      {
        id: 'after',
        head: t('archivedFile.audit.after'),
        value: (entry) => wordsOf(entry).after,
        cell: (entry) => <span title={wordsOf(entry).after}>{wordsOf(entry).after}</span>,
      },
      {
        id: 'who',
        head: t('audit.who'),
        value: ({ who }) => who,
        cell: (entry) => <Actor entry={entry} />,
        width: 150,
        wraps: true,
      },
    ]
  }, [t, formats])
  return (
    <Section
      title={t('archivedFile.audit')}
      actions={<a href={hrefOf({ place: 'archive', tab: 'audit' })}>{t('archivedFile.toAudit')}</a>}
    >
      <Table
        label={t('archivedFile.audit')}
        rows={audit}
        columns={columns}
        rowKey={({ number }) => number}
        empty={<p className="dimmed">{t('archivedFile.audit.none')}</p>}
        tools={audit.length > 10}
        heightMax={340}
      />
      {audit.length >= listedMax.actionsOnFile && (
        <p className="dimmed">{t('archivedFile.audit.newest', { count: listedMax.actionsOnFile })}</p>
      )}
      <EntryDetails entry={shown} onClose={() => setShown(null)} />
    </Section>
  )
}
