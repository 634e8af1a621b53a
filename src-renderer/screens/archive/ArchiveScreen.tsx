/** The archive, a tab for each part: replicas, files, repair, attic, backups, audit log, report, deduplication, growth and
 *  batch jobs. */
import type { ComponentType } from 'react'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { useMay } from '../../parts/useMay.ts'
import { archiveTabCalls } from '../../state/commandCalls.ts'
import { useWords, type WordId } from '../../words/words.tsx'
import { AuditTab } from '../audit/AuditTab.tsx'
import { BackupsTab } from '../backups/BackupsTab.tsx'
import { BatchTab } from '../batch/BatchTab.tsx'
import { AtticTab } from '../repair/AtticTab.tsx'
import { RepairTab } from '../repair/RepairTab.tsx'
import { DeduplicationTab } from '../deduplication/DeduplicationTab.tsx'
import { GrowthTab } from '../growth/GrowthTab.tsx'
import { ReportTab } from '../report/ReportTab.tsx'
import { hrefOf, type ArchiveTab } from '../../routes/routes.ts'
import { ArchiveFiles } from './ArchiveFiles.tsx'
import { Replicas } from './Replicas.tsx'

const tabs: { tab: ArchiveTab; name: WordId; Part: ComponentType<{ filter?: string }> }[] = [
  { tab: 'replicas', name: 'archive.tab.replicas', Part: Replicas },
  { tab: 'files', name: 'archive.tab.files', Part: ArchiveFiles },
  { tab: 'repair', name: 'archive.tab.repair', Part: RepairTab },
  { tab: 'attic', name: 'archive.tab.attic', Part: AtticTab },
  { tab: 'backups', name: 'archive.tab.backups', Part: BackupsTab },
  { tab: 'audit', name: 'archive.tab.audit', Part: AuditTab },
  { tab: 'report', name: 'archive.tab.report', Part: ReportTab },
  { tab: 'deduplication', name: 'archive.tab.deduplication', Part: DeduplicationTab },
  { tab: 'growth', name: 'archive.tab.growth', Part: GrowthTab },
  { tab: 'batch', name: 'archive.tab.batch', Part: BatchTab },
]

/** `filter`: of the address, for tabs that have filters. */
export function ArchiveScreen({ tab, filter = '' }: { tab: ArchiveTab; filter?: string | undefined }) {
  const t = useWords()
  const { why } = useMay()
  const refusal = why(archiveTabCalls[tab])
  const offered = tabs.filter((row) => row.tab === tab || why(archiveTabCalls[row.tab]) === null)
  const Part = tabs.find((row) => row.tab === tab)?.Part ?? Replicas
  return (
    <>
      <PageHead title={t('archive.title')} />
      <nav className="tabs" aria-label={t('archive.tabs')}>
        {offered.map((row) => (
          <a
            key={row.tab}
            href={hrefOf({ place: 'archive', tab: row.tab })}
            aria-current={row.tab === tab ? 'page' : undefined}
          >
            {t(row.name)}
          </a>
        ))}
      </nav>
      {refusal === null ? <Part filter={filter} /> : <EmptyState title={refusal} text={t('may.needs.text')} />}
    </>
  )
}
