/** What is abnormal about the size of a run; a badge says so where there is nothing. */
import type { RunStatistics } from '../../../src-main/contract/services/harvestStatistics.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'

export function RunAlarms({ alarms }: Pick<RunStatistics, 'alarms'>) {
  const t = useWords()
  if (alarms.length === 0)
    return (
      <span>
        <ToneBadge tone="done" text={t('statistics.usual')} />
      </span>
    )
  return alarms.map((alarm) => (
    <span key={alarm.of}>
      <ToneBadge tone="attention" text={t(`statistics.${alarm.kind}`)} /> {t(alarm.message)}{' '}
    </span>
  ))
}
