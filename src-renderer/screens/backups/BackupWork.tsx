/** What is being done with the backups now, and what the last thing that was asked for came to. */
import { Text } from '@mantine/core'
import { useStore } from 'zustand'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Meter } from '../../parts/Meter.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import type { BackupOutcome } from '../../state/backups.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Say } from '../../words/words.tsx'

export function BackupWork() {
  const say = useWords()
  const { percent } = useFormats()
  const { backups } = useSession()
  const { running, outcome } = useStore(backups)
  return (
    <div className="backup-work">
      {running && (
        <Meter
          name={say(`backups.phase.${running.phase}`)}
          done={running.share}
          total={1}
          text={percent(running.share)}
        />
      )}
      <div role="status">
        {!running && outcome && outcome.is !== 'refused' && (
          <ToneBadge tone={isBad(outcome) ? 'failed' : 'done'} text={outcomeWords(say, outcome)} />
        )}
      </div>
      {!running && outcome?.is === 'refused' && (
        <>
          <Text fw={600} mb={4}>
            {say(`backups.refused.${outcome.asked.is}`)}
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

function outcomeWords(say: Say, outcome: Done): string {
  if (outcome.is === 'verified') {
    const bad = damaged(outcome)
    return bad > 0 ? say('backups.verified.bad', { bad }) : say('backups.verified', { count: outcome.rows.length })
  }
  const { made } = outcome
  if (made.outcome === 'unchanged') return say('backups.unchanged')
  const count = made.removed.length
  return count === 0 ? say('backups.made') : `${say('backups.made')} ${say('backups.made.removed', { count })}`
}
