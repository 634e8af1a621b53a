/** Missing copies that are being restored one after the other: the progress, and which could not be restored and why. */
import { Square } from 'lucide-react'
import { useStore } from 'zustand'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Meter } from '../../parts/Meter.tsx'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { copyKey, isUnderWay, type RestoreRow as Row } from '../../state/repairs.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import styles from './repair.module.css'

/** The others are listed below among the copies to repair, with their reasons. */
const problemsShownMax = 50

const tones = {
  running: 'running',
  stopping: 'waiting',
  stopped: 'attention',
  done: 'done',
  doneInPart: 'attention',
} as const

export function RestoreRow() {
  const t = useWords()
  const { repairs: store } = useSession()
  const { row, stopRow } = useStore(store)
  if (!row) return null
  const { copies, ended, state } = row
  const others = ended.filter((end) => end.state !== 'REPAIRED')
  const shown = state === 'done' && others.length > 0 ? 'doneInPart' : state
  return (
    <Section
      title={t('repair.row')}
      actions={
        isUnderWay(row) && (
          <ActionButton
            size="xs"
            variant="default"
            leftSection={<Square size={14} aria-hidden />}
            why={state === 'stopping' ? t('repair.row.stop.why') : null}
            onClick={stopRow}
          >
            {t('repair.row.stop')}
          </ActionButton>
        )
      }
    >
      <div className="card">
        <div className={styles.rowEnd} role="status">
          <ToneBadge tone={tones[shown]} text={t(`repair.row.${shown}`)} />
          <span className="wrap">{rowText(row, t)}</span>
        </div>
        {isUnderWay(row) && (
          <Meter
            name={t('repair.row')}
            done={ended.length}
            total={copies.length}
            text={t('task.copiesDone', { done: ended.length, total: copies.length })}
          />
        )}
        {others.length > 0 && (
          <ul aria-label={t('repair.row.problems')} className={styles.rowProblems}>
            {others.slice(0, problemsShownMax).map(({ name, replica, text }) => (
              <li key={copyKey({ name, replica })}>
                <a href={hrefOf({ place: 'repair', file: name, replica })}>{t('repair.act.name', { name, replica })}</a>{' '}
                <span className="wrap">{text}</span>
              </li>
            ))}
          </ul>
        )}
        {others.length > problemsShownMax && (
          <p className="dimmed">{t('repair.row.more', { count: others.length - problemsShownMax })}</p>
        )}
      </div>
    </Section>
  )
}

function rowText(row: Row, t: ReturnType<typeof useWords>): string {
  const { copies, ended } = row
  const now = copies[ended.length]
  if (isUnderWay(row) && now) return t('repair.row.now', { name: now.name, replica: now.replica })
  const repaired = ended.filter((end) => end.state === 'REPAIRED').length
  const text = t('repair.row.ended', { repaired, others: ended.length - repaired })
  const left = copies.length - ended.length
  return left > 0 ? `${text} ${t('repair.row.left', { copies: left })}` : text
}
