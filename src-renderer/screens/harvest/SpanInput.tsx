/** A length of time with its unit; empty means never. */
import { AmountInput } from '../../parts/AmountInput.tsx'
import { useWords } from '../../words/words.tsx'
import type { spanUnits, SpanDraft, SpanField } from './recheckDraft.ts'

interface SpanInputProps {
  field: SpanField
  value: SpanDraft
  error: string | undefined
  onChange: (value: SpanDraft) => void
}

const units = ['minutes', 'hours', 'days'] as const satisfies (keyof typeof spanUnits)[]

export function SpanInput({ field, value, error, onChange }: SpanInputProps) {
  const t = useWords()
  return (
    <AmountInput
      data-field={`recheck.${field}`}
      label={t(`recheck.${field}`)}
      description={t(`recheck.${field}.hint`)}
      placeholder={t(`recheck.${field}.none`)}
      amount={value.length}
      unit={value.unit}
      units={units.map((unit) => ({ value: unit, label: t(`schedule.unit.${unit}`) }))}
      unitLabel={t('unit.of', { field: t(`recheck.${field}`) })}
      onChange={(length, unit) => onChange({ length, unit })}
      {...(error === undefined ? {} : { error })}
    />
  )
}
