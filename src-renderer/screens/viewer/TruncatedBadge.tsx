/** Marks a truncated capture and gives the reason. */
import { truncationMessage, type Truncation } from '../../../src-main/contract/states/outcomes.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'

export function TruncatedBadge({ truncated, text }: { truncated: Truncation; text: string }) {
  const t = useWords()
  return (
    <ToneBadge
      tone="attention"
      text={text}
      meaning={t('resources.truncated.meaning', { why: t(truncationMessage(truncated)) })}
    />
  )
}
