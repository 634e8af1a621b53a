/** One button per verdict; the chosen one is pressed. Pressing it again removes the verdict. */
import { Group } from '@mantine/core'
import { verdictValues, type VerdictValue } from '../../../src-main/contract/services/verdicts.ts'
import { useWords } from '../../words/words.tsx'
import { ActionButton } from '../../parts/ActionButton.tsx'

interface VerdictButtonsProps {
  label: string
  value: VerdictValue | null
  onChange: (verdict: VerdictValue | null) => void
}

export function VerdictButtons({ label, value, onChange }: VerdictButtonsProps) {
  const t = useWords()
  return (
    <Group gap={6} role="group" aria-label={label}>
      {verdictValues.map((verdict) => (
        <ActionButton
          needs="verdicts.set"
          key={verdict}
          size="xs"
          variant={value === verdict ? 'filled' : 'default'}
          aria-pressed={value === verdict}
          onClick={() => onChange(value === verdict ? null : verdict)}
        >
          {t(`verdicts.value.${verdict}`)}
        </ActionButton>
      ))}
    </Group>
  )
}
