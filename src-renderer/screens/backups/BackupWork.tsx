/** Progress of work on backups, and the result of the last request. */
import { Text } from '@mantine/core'
import { useStore } from 'zustand'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Meter } from '../../parts/Meter.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import type { BackupOutcome } from '../../state/backups.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'

export function BackupWork() {
  const t = useWords()
  const { percent } = useFormats()
  const { backups } = useSession()
  const { running, outcome } = useStore(backups)
  return (
    <div className="backup-work">
      {running && (
        <Meter
          name={t(`backups.phase.${running.phase}`)}
          done={running.share}
          total={1}
          text={percent(running.share)}
        />
      )}
      <div role="status">
        {!running && outcome && outcome.is !== 'refused' && (
          <ToneBadge tone={isBad(outcome) ? 'failed' : 'done'} text={outcomeWords(t, outcome)} />
        )}
      </div>
      {!running && outcome?.is === 'refused' && (
        <>
          <Text fw={600} mb={4}>
            {t(`backups.refused.${outcome.asked.is}`)}
          </Text>
          <FaultNote fault={outcome.fault} />
        </>
      )}
    </div>
  )
}

type Done = Exclude<BackupOutcome, { is: 'refused' }>

function damaged(outcome: Done): number {
  return outcome.is === 'made' ? 0 : outcome.rows.filter(({ state }) => state !== 'good').length
}

function isBad(outcome: Done): boolean {
  return damaged(outcome) > 0
}

function outcomeWords(t: Translate, outcome: Done): string {
  if (outcome.is === 'verified') {
    const bad = damaged(outcome)
    return bad > 0 ? t('backups.verified.bad', { bad }) : t('backups.verified', { count: outcome.rows.length })
  }
  const { made } = outcome
  if (made.outcome === 'unchanged') return t('backups.unchanged')
  const count = made.removed.length
  return count === 0 ? t('backups.made') : `${t('backups.made')} ${t('backups.made.removed', { count })}`
}
