/** A length of time with its unit; empty is never. */
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
  const say = useWords()
  return (
    <AmountInput
      data-field={`recheck.${field}`}
      label={say(`recheck.${field}`)}
      description={say(`recheck.${field}.hint`)}
      placeholder={say(`recheck.${field}.none`)}
      amount={value.length}
      unit={value.unit}
      units={units.map((unit) => ({ value: unit, label: say(`schedule.unit.${unit}`) }))}
      unitLabel={say('unit.of', { field: say(`recheck.${field}`) })}
      onChange={(length, unit) => onChange({ length, unit })}
      {...(error === undefined ? {} : { error })}
    />
  )
}
