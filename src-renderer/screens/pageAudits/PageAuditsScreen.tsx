/** The page audits of a job: start one, follow it, and the pages of one by their risk. */
import {} from '@mantine/core'
import { ScanSearch } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { PageAuditSummary } from '../../../src-main/contract/services/pageAudits.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { AuditedPages } from './AuditedPages.tsx'
import { AuditHead } from './AuditHead.tsx'
import { AuditList } from './AuditList.tsx'
import { ReportButtons } from './ReportButtons.tsx'
import { StartForm } from './StartForm.tsx'

interface PageAuditsProps {
  job: number
  /** Absent: the newest. */
  audit?: number | undefined
}

/** Mounted again for another job (by its key). */
export function PageAuditsScreen({ job, audit }: PageAuditsProps) {
  const t = useWords()
  const { services } = useSession()
  const [isStarting, setStarting] = useState(false)
  const [audits, reload] = useLoaded(useMemo(() => () => services.pageAudits.list({ job }), [services, job]))
  useChanges(services.tasks.changed, reload)

  function begun({ task }: PageAuditSummary): void {
    setStarting(false)
    location.hash = hrefOf({ place: 'pageAudits', job, audit: task })
    reload()
  }

  return (
    <>
      <a className="dimmed" href={hrefOf({ place: 'job', job })}>
        {t('pageAudits.job', { job })}
      </a>
      <PageHead
        title={t('pageAudits.title', { job })}
        actions={
          <>
            <ReportButtons job={job} />
            <ActionButton
              needs="pageAudits.start"
              leftSection={<ScanSearch size={16} aria-hidden />}
              onClick={() => setStarting(true)}
            >
              {t('pageAudits.start')}
            </ActionButton>
          </>
        }
      />
      <Await of={audits} onRetry={reload}>
        {(list) => <Audits list={list} audit={audit} />}
      </Await>
      <FormDialog
        opened={isStarting}
        onClose={() => setStarting(false)}
        size={560}
        title={t('pageAudits.start.title', { job })}
      >
        <StartForm job={job} onStarted={begun} />
      </FormDialog>
    </>
  )
}

function Audits({ list, audit }: { list: readonly PageAuditSummary[]; audit: number | undefined }) {
  const t = useWords()
  const shown = list.find(({ task }) => task === audit) ?? list[0]
  if (shown === undefined) return <EmptyState title={t('pageAudits.none')} text={t('pageAudits.none.text')} />
  return (
    <>
      {list.length > 1 && <AuditList list={list} shown={shown.task} />}
      <AuditHead audit={shown} />
      <AuditedPages key={shown.task} audit={shown} />
    </>
  )
}
