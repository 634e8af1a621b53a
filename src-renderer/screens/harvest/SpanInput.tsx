/** A length of time with its unit; empty is never. */
import { Group, NumberInput, Select } from '@mantine/core'
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
    <Group gap={6} align="end" wrap="nowrap">
      <NumberInput
        name={`recheck.${field}`}
        label={say(`recheck.${field}`)}
        description={say(`recheck.${field}.hint`)}
        placeholder={say(`recheck.${field}.none`)}
        value={value.length}
        onChange={(length) => onChange({ ...value, length })}
        hideControls
        flex={1}
        {...(error === undefined ? {} : { error })}
      />
      <Select
        aria-label={say('recheck.unit', { field: say(`recheck.${field}`) })}
        w={104}
        data={units.map((unit) => ({ value: unit, label: say(`schedule.unit.${unit}`) }))}
        value={value.unit}
        allowDeselect={false}
        onChange={(unit) => onChange({ ...value, unit: units.find((each) => each === unit) ?? value.unit })}
      />
    </Group>
  )
}
