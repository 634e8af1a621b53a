/** The tab of replicas: status of the archive, replicas, current problems, overdue copies, and checks. */
import { Group } from '@mantine/core'
import { Fingerprint, ShieldCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { ArchiveStatus } from '../../../src-main/contract/services/archiveStatus.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { Section } from '../../parts/Section.tsx'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { Aging } from './Aging.tsx'
import { Checks } from './Checks.tsx'
import { HistoryLegend } from './HistoryStrip.tsx'
import { ReplicaCard } from './ReplicaCard.tsx'
import { RecoveryNote } from './RecoveryNote.tsx'
import { Verdict } from './Verdict.tsx'
import { CurrentProblems } from './CurrentProblems.tsx'
import styles from './archive.module.css'

export function Replicas() {
  const { archive: store, audit } = useSession()
  const { status, load } = useStore(store)
  useEffect(() => {
    // A drive may have been connected or removed since the last load.
    void load()
    const { verdict, fault, verify } = audit.getState()
    if (verdict === null && fault === null) void verify()
  }, [load, audit])
  return (
    <Await of={status} onRetry={() => void load()}>
      {(known) => (known.replicas.length === 0 ? <NoReplica /> : <ReplicaList status={known} />)}
    </Await>
  )
}

function NoReplica() {
  const t = useWords()
  return (
    <EmptyState title={t('archive.none')} text={t('archive.none.text')}>
      <LinkButton needs="settings.list" variant="default" href={hrefOf({ place: 'settings' })}>
        {t('rail.settings')}
      </LinkButton>
    </EmptyState>
  )
}

function ReplicaList({ status }: { status: ArchiveStatus }) {
  const t = useWords()
  const { archive: store, dialogs } = useSession()
  const { history, refusal } = useStore(store)
  const { showCheck } = useStore(dialogs)
  const wrong = useRef<HTMLDivElement>(null)
  const checks = useRef<HTMLDivElement>(null)
  const known = valueOf(history)
  const isSomethingWrong = status.findings.length + status.votes.length + status.spots.length > 0
  return (
    <>
      <Verdict status={status} showWrong={() => show(wrong.current)} />
      <RecoveryNote />
      {refusal && <FaultNote fault={refusal} />}
      <Section
        title={t('archive.cards')}
        actions={
          <Group gap="xs">
            <ActionButton
              needs="archive.spotCheck"
              size="xs"
              variant="default"
              leftSection={<Fingerprint size={16} aria-hidden />}
              onClick={() => showCheck('spotCheck', null)}
            >
              {t('archive.spotCheck')}
            </ActionButton>
            <ActionButton
              needs="archive.check"
              size="xs"
              leftSection={<ShieldCheck size={16} aria-hidden />}
              onClick={() => showCheck('checkChecksums', null)}
            >
              {t('archive.checkAll')}
            </ActionButton>
          </Group>
        }
      >
        <div className={styles.replicas}>
          {status.replicas.map((replica) => (
            <ReplicaCard
              key={replica.replica}
              replica={replica}
              asOf={status}
              events={known && (known.get(replica.replica) ?? [])}
              onCheck={() => showCheck('checkChecksums', replica.replica)}
              onShowCheck={() => show(checks.current)}
            />
          ))}
        </div>
        <HistoryLegend />
      </Section>
      <div ref={wrong} tabIndex={-1} className="jump-target">
        {isSomethingWrong && <CurrentProblems status={status} />}
      </div>
      <Aging status={status} />
      <div ref={checks} tabIndex={-1} className="jump-target">
        <Checks />
      </div>
    </>
  )

  /** Scrolls to an element and focuses it, so that users of keyboards and screen readers get there too. */
  function show(target: HTMLElement | null): void {
    target?.scrollIntoView({ block: 'start' })
    target?.focus({ preventScroll: true })
  }
}
