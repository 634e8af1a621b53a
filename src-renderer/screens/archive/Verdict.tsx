/** The status of the archive in one sentence, with every problem and what to do about it. */
import { Button } from '@mantine/core'
import { CircleCheck, OctagonX, TriangleAlert, CircleDashed } from 'lucide-react'
import { useId, useMemo } from 'react'
import { useStore } from 'zustand'
import type { ArchiveStatus } from '../../../src-main/contract/services/archiveStatus.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { useFormats, type Formats } from '../../parts/formats.ts'
import type { AuditState } from '../../state/audit.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { verdictOf, type Concern, type Verdict as Judged } from '../copies/concerns.ts'
import styles from './archive.module.css'

const symbols: Partial<Record<Tone, typeof CircleCheck>> = {
  done: CircleCheck,
  attention: TriangleAlert,
  failed: OctagonX,
}

const quietTones: Record<Judged['is'], Tone> = { fine: 'done', empty: 'idle', needsAction: 'attention' }

/** `showWrong` scrolls to the list of problems. */
export function Verdict({ status, showWrong }: { status: ArchiveStatus; showWrong: () => void }) {
  const t = useWords()
  const formats = useFormats()
  const { audit } = useSession()
  const auditLog = useStore(audit)
  const headingId = useId()
  const auditVerdict = auditLog.verdict?.result ?? null
  const verdict = useMemo(() => verdictOf(status, auditVerdict), [status, auditVerdict])
  const [first, ...others] = verdict.concerns
  const tone = first?.tone ?? quietTones[verdict.is]
  const Symbol = symbols[tone] ?? CircleDashed
  return (
    <section className={styles.verdict} data-tone={tone} aria-labelledby={headingId}>
      <Symbol className={styles.verdictSymbol} size={28} aria-hidden />
      <div className={styles.verdictText}>
        <h2 id={headingId} className="visually-hidden">
          {t('verdict.title')}
        </h2>
        <div className={styles.verdictLine}>
          <p className={styles.verdictSentence} role="status">
            {first ? t('verdict.not', { concern: concernWords(t, first) }) : quietWords(t, verdict, status)}
          </p>
          {first && <NextStep concern={first} showWrong={showWrong} isFirst />}
          {!first && verdict.is === 'needsAction' && (
            <Button size="xs" component="a" href={hrefOf({ place: 'archive', tab: 'report' })}>
              {t('verdict.next.report')}
            </Button>
          )}
        </div>
        {first?.kind === 'away' && <p className={styles.verdictMore}>{t('verdict.next.look.text')}</p>}
        {verdict.is === 'fine' && <p className={styles.verdictMore}>{proofWords(t, formats, status, auditLog)}</p>}
        {others.length > 0 && (
          <ul className={styles.verdictOthers} aria-label={t('verdict.also')}>
            {others.map((concern) => (
              <li key={concern.kind} className={styles.verdictLine}>
                <span>{sentence(concernWords(t, concern))}</span>
                <NextStep concern={concern} showWrong={showWrong} />
              </li>
            ))}
          </ul>
        )}
        {status.replicas.length === 1 && <p className={styles.verdictMore}>{t('verdict.single')}</p>}
      </div>
    </section>
  )
}

interface NextStepProps {
  concern: Concern
  showWrong: () => void
  isFirst?: boolean
}

function NextStep({ concern: { kind }, showWrong, isFirst = false }: NextStepProps) {
  const t = useWords()
  const { archive, dialogs, recovery } = useSession()
  const look = { size: 'xs', variant: isFirst ? 'filled' : 'default' } as const
  switch (kind) {
    case 'lost':
    case 'corrupt':
    case 'missing':
    case 'notStored':
      return (
        <LinkButton needs="archive.repairable" {...look} href={hrefOf({ place: 'archive', tab: 'repair' })}>
          {t('verdict.next.repair')}
        </LinkButton>
      )
    case 'database':
    case 'backups':
      return (
        <LinkButton needs="backups.list" {...look} href={hrefOf({ place: 'archive', tab: 'backups' })}>
          {t('verdict.next.backups')}
        </LinkButton>
      )
    case 'auditLog':
      return (
        <LinkButton needs="archive.auditLog" {...look} href={hrefOf({ place: 'archive', tab: 'audit' })}>
          {t('verdict.next.auditLog')}
        </LinkButton>
      )
    case 'away':
      return (
        <Button {...look} onClick={() => void archive.getState().load()}>
          {t('verdict.next.look')}
        </Button>
      )
    case 'surplus':
      return (
        <>
          <Button {...look} onClick={showWrong}>
            {t('verdict.next.show')}
          </Button>
          <ActionButton needs="archive.recover" {...look} onClick={() => void recovery.getState().start()}>
            {t('verdict.next.recover')}
          </ActionButton>
        </>
      )
    case 'unknown':
      return (
        <ActionButton needs="archive.recover" {...look} onClick={() => void recovery.getState().start()}>
          {t('verdict.next.recover')}
        </ActionButton>
      )
    case 'waiting':
      return (
        <Button {...look} component="a" href={hrefOf({ place: 'jobs' })}>
          {t('verdict.next.jobs')}
        </Button>
      )
    case 'undecided':
      return (
        <Button {...look} onClick={showWrong}>
          {t('verdict.next.show')}
        </Button>
      )
    case 'spots':
    case 'overdue':
      return (
        <ActionButton
          needs="archive.check"
          {...look}
          onClick={() => dialogs.getState().showCheck('checkChecksums', null)}
        >
          {t('verdict.next.checksums')}
        </ActionButton>
      )
  }
}

function concernWords(t: Translate, { kind, count, replicas }: Concern): string {
  return t(`verdict.${kind}`, { count, replicas: replicas.join(', ') })
}

function quietWords(t: Translate, verdict: Judged, { replicas }: ArchiveStatus): string {
  if (verdict.is === 'empty') return t('verdict.empty')
  if (verdict.is === 'needsAction') return t('verdict.elsewhere')
  return t('verdict.fine', {
    files: Math.max(...replicas.map(({ files }) => files)),
    replicas: replicas.length,
  })
}

/** The evidence for "fine": since when every byte was compared, and whether the audit log is complete. */
function proofWords(
  t: Translate,
  formats: Formats,
  { at, overdueDays, replicas }: ArchiveStatus,
  auditLog: Pick<AuditState, 'verdict' | 'fault'>,
): string {
  const oldest = replicas
    .flatMap(({ oldestVerified }) => oldestVerified ?? [])
    .toSorted()
    .at(0)
  const unchecked = replicas.reduce((sum, { neverChecked }) => sum + neverChecked, 0)
  const [due] = replicas.flatMap(({ firstCheckDue }) => firstCheckDue ?? []).toSorted()
  return [
    t('verdict.fine.checked', { days: overdueDays }),
    ...(due === undefined ? [] : [t('verdict.fine.due', { count: unchecked, date: due.slice(0, 10) })]),
    ...(oldest ? [t('verdict.fine.oldest', { ago: formats.ago(oldest, new Date(at)) })] : []),
    t(`verdict.fine.auditLog.${auditLog.verdict ? 'whole' : auditLog.fault ? 'unknown' : 'open'}`),
  ].join(' ')
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
