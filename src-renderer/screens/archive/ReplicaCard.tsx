/** One replica: its type and location, what it contains, the state of its copies, and its history. */
import { Group, Title, Tooltip } from '@mantine/core'
import { ShieldCheck } from 'lucide-react'
import { useId } from 'react'
import type { ArchiveStatus } from '../../../src-main/contract/services/archiveStatus.ts'
import type { ReplicaEvent, ReplicaState } from '../../../src-main/contract/services/replicas.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords, type Translate, type WordId } from '../../words/words.tsx'
import { awaitsFirstCheck, isOverdue } from './ages.ts'
import { HistoryStrip } from './HistoryStrip.tsx'
import styles from './archive.module.css'

interface ReplicaCardProps {
  replica: ReplicaState
  /** The time of the engine, and the number of days after which a check is overdue, because the engine counts overdue copies. */
  asOf: Pick<ArchiveStatus, 'at' | 'overdueDays'>
  /** Undefined while the history is not loaded. */
  events: readonly ReplicaEvent[] | undefined
  onCheck: () => void
  /** Scrolls a check of the history into view. */
  onShowCheck: (check: number) => void
}

export function ReplicaCard({ replica, asOf, events, onCheck, onShowCheck }: ReplicaCardProps) {
  const t = useWords()
  const formats = useFormats()
  const headingId = useId()
  const isCalm = awaitsFirstCheck(replica, asOf)
  return (
    <article className={`card ${styles.replica}`} aria-labelledby={headingId}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Title order={3} size="h4" id={headingId} className="page-title">
          {replica.replica}
        </Title>
        <ToneBadge {...lookOf(t, replica)} />
      </Group>
      <ReplicaLocation replica={replica} />
      {!replica.reachable && <p className={styles.replicaAway}>{t('replica.unreachable.todo')}</p>}
      <Facts
        facts={[
          { name: t('archive.files'), value: formats.count(replica.files) },
          {
            name: t('archive.bytes'),
            value: replica.bytes === null ? t('archive.unknown') : formats.bytes(replica.bytes),
          },
          {
            name: t('archive.free'),
            value: replica.freeBytes === null ? t('archive.unknown') : formats.bytes(replica.freeBytes),
          },
        ]}
      />
      <Tallies replica={replica} />
      <dl className={styles.replicaAges}>
        <Age
          name="archive.lastMissing"
          time={replica.lastMissingCheck}
          asOf={asOf}
          // A comparison of checksums finds missing files too.
          isCalm={replica.lastChecksumCheck !== null || isCalm}
        />
        <Age
          name="archive.lastChecksums"
          time={replica.lastChecksumCheck}
          asOf={asOf}
          isOld={isOverdue(replica.lastChecksumCheck, asOf)}
          isCalm={isCalm}
        />
        <Age
          name="archive.oldestVerified"
          time={replica.oldestVerified}
          asOf={asOf}
          isOld={isOverdue(replica.oldestVerified, asOf)}
          isCalm={isCalm}
        />
      </dl>
      <div>
        <span className={styles.replicaLabel}>{t('history.title')}</span>
        {events ? (
          <HistoryStrip replica={replica.replica} events={events} onCheck={onShowCheck} />
        ) : (
          <p className="dimmed">{t('history.unknown')}</p>
        )}
      </div>
      {replica.lastFailure && <LastFailure failure={replica.lastFailure} at={asOf.at} />}
      <Group gap="xs" className={styles.replicaChecks}>
        <ActionButton
          needs="archive.check"
          size="xs"
          variant="default"
          leftSection={<ShieldCheck size={16} aria-hidden />}
          aria-label={t('archive.check.of', { name: replica.replica })}
          onClick={onCheck}
        >
          {t('archive.check')}
        </ActionButton>
      </Group>
    </article>
  )
}

function ReplicaLocation({ replica: { kind, place, folder } }: { replica: ReplicaState }) {
  const t = useWords()
  return (
    <p className={styles.replicaWhere}>
      <Tooltip label={t(`replica.kind.${kind}.meaning`)}>
        <span>{t(`replica.kind.${kind}`)}</span>
      </Tooltip>
      {' · '}
      {place ?? (
        <Tooltip label={t('replica.place.unknown.meaning')}>
          <span>{t('replica.place.unknown')}</span>
        </Tooltip>
      )}
      <span className={`mono wrap ${styles.replicaFolder}`}>{folder}</span>
    </p>
  )
}

const tallies = [
  { of: 'corrupt', tone: 'failed' },
  { of: 'missing', tone: 'failed' },
  { of: 'notStored', tone: 'failed' },
  { of: 'neverChecked', tone: 'idle' },
  { of: 'overdue', tone: 'attention' },
] as const satisfies readonly { of: keyof ReplicaState; tone: Tone }[]

/** Numbers of copies that need attention, by problem; a zero is shown without emphasis. */
function Tallies({ replica }: { replica: ReplicaState }) {
  const t = useWords()
  const { count } = useFormats()
  return (
    <dl className={styles.tallies} aria-label={t('archive.tallies', { replica: replica.replica })}>
      {tallies.map(({ of, tone }) => (
        <div key={of} {...(replica[of] > 0 ? { 'data-tone': tone } : {})}>
          <dt>{t(`archive.${of}`)}</dt>
          <dd>{count(replica[of])}</dd>
        </div>
      ))}
    </dl>
  )
}

interface AgeProps {
  name: WordId
  time: string | null
  asOf: Pick<ArchiveStatus, 'at'>
  isOld?: boolean
  /** A check that was never run is no warning when this is set. */
  isCalm: boolean
}

function Age({ name, time, asOf, isOld = false, isCalm }: AgeProps) {
  const t = useWords()
  const { ago } = useFormats()
  const text = time === null ? t('archive.never') : ago(time, new Date(asOf.at))
  return (
    <div>
      <dt>{t(name)}</dt>
      <dd title={time === null ? undefined : `${timeUtc(time)} UTC`}>
        {isOld || (time === null && !isCalm) ? (
          <ToneBadge tone="attention" text={isOld ? t('archive.longAgo', { ago: text }) : text} />
        ) : (
          text
        )}
      </dd>
    </div>
  )
}

function LastFailure({ failure, at }: { failure: NonNullable<ReplicaState['lastFailure']>; at: string }) {
  const t = useWords()
  const { ago } = useFormats()
  const values = { ago: ago(failure.at, new Date(at)), text: t(failure.message) }
  return (
    <p className="dimmed wrap" title={`${timeUtc(failure.at)} UTC`}>
      {failure.file === null
        ? t('archive.lastFailure', values)
        : t('archive.lastFailure.file', { ...values, file: failure.file })}
    </p>
  )
}

/** The worst state of the replica, as a badge. */
function lookOf(t: Translate, replica: ReplicaState): { tone: Tone; text: string; meaning: string } {
  const look = (tone: Tone, word: 'unreachable' | 'damaged' | 'overdue' | 'empty' | 'sound') => ({
    tone,
    text: t(`replica.${word}`),
    meaning: t(`replica.${word}.meaning`),
  })
  if (!replica.reachable) return look('failed', 'unreachable')
  if (replica.missing + replica.corrupt + replica.notStored > 0) return look('failed', 'damaged')
  if (replica.overdue > 0) return look('attention', 'overdue')
  return replica.files === 0 ? look('idle', 'empty') : look('done', 'sound')
}
