/** One record of a schedule: days and hours, time zone, duration, and type of run. */
import { Checkbox, Group, MultiSelect, SegmentedControl, Select, SimpleGrid, TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import { useMemo } from 'react'
import { AmountInput } from '../../parts/AmountInput.tsx'
import { IconAction } from '../../parts/IconAction.tsx'
import { useLocale, useWords } from '../../words/words.tsx'
import {
  emptyMeans,
  fieldsOf,
  repeating,
  repeats,
  type DraftProblem,
  type DurationUnit,
  type ListedField,
  type RecordDraft,
} from './scheduleDraft.ts'

interface RecordFormProps {
  number: number
  record: RecordDraft
  wrong: DraftProblem['field'] | null
  onChange: (record: RecordDraft) => void
  /** Null when it is the only record. */
  onRemove: (() => void) | null
}

export function RecordForm({ number, record, wrong, onChange, onRemove }: RecordFormProps) {
  const t = useWords()
  const change = (changes: Partial<RecordDraft>) => onChange({ ...record, ...changes })
  const choices = useChoices()
  return (
    <fieldset>
      <legend>{t('schedule.record', { number })}</legend>
      <SegmentedControl
        mb="sm"
        aria-label={t('schedule.repeats')}
        data={repeats.map((repeat) => ({ value: repeat, label: t(`schedule.repeat.${repeat}`) }))}
        value={record.repeat}
        onChange={(repeat) => onChange(repeating(record, repeat))}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        {fieldsOf[record.repeat].map((field) => (
          <MultiSelect
            key={field}
            data-field={`schedule.${number - 1}.${field}`}
            label={t(`schedule.field.${field}`)}
            data={choices[field]}
            value={record[field]}
            placeholder={record[field].length === 0 ? t(`schedule.empty.${emptyMeans(record, field)}`) : ''}
            searchable
            clearable
            classNames={{ inputField: 'pills-field' }}
            clearButtonProps={{
              'aria-label': t('schedule.field.remove', { field: t(`schedule.field.${field}`) }),
            }}
            onChange={(values) => change({ [field]: withAny(values) })}
          />
        ))}
        {record.repeat === 'custom' && (
          <TextInput
            data-field={`schedule.${number - 1}.years`}
            label={t('schedule.field.years')}
            placeholder={t('schedule.field.years.hint')}
            value={record.years}
            error={wrong === 'years' && t('schedule.field.years.wrong')}
            onChange={(event) => change({ years: event.currentTarget.value })}
          />
        )}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mt="sm">
        <Select
          data-field={`schedule.${number - 1}.timeZone`}
          label={t('schedule.zone')}
          data={choices.zones}
          value={record.timeZone}
          searchable
          allowDeselect={false}
          limit={zonesShownMax}
          nothingFoundMessage={t('schedule.zone.none')}
          onChange={(timeZone) => change({ timeZone: timeZone ?? record.timeZone })}
        />
        <Length
          field={`schedule.${number - 1}.duration`}
          record={record}
          isWrong={wrong === 'duration'}
          change={change}
        />
      </SimpleGrid>
      <Group justify="space-between" mt="sm">
        <Checkbox
          data-field={`schedule.${number - 1}.minimal`}
          label={t('schedule.minimal')}
          checked={record.minimal}
          onChange={(event) => change({ minimal: event.currentTarget.checked })}
        />
        {onRemove && <IconAction name={t('schedule.record.remove', { number })} icon={X} onClick={onRemove} />}
      </Group>
    </fieldset>
  )
}

interface LengthProps {
  field: string
  record: RecordDraft
  isWrong: boolean
  change: (changes: Partial<RecordDraft>) => void
}

function Length({ field, record, isWrong, change }: LengthProps) {
  const t = useWords()
  return (
    <AmountInput
      data-field={field}
      label={t('schedule.duration')}
      placeholder={t('schedule.duration.hint')}
      amount={record.duration}
      unit={record.durationUnit}
      units={units.map((unit) => ({ value: unit, label: t(`schedule.unit.${unit}`) }))}
      unitLabel={t('unit.of', { field: t('schedule.duration') })}
      error={isWrong && t('schedule.duration.wrong')}
      onChange={(duration, durationUnit) => change({ duration, durationUnit })}
    />
  )
}

const units = ['minutes', 'hours', 'days'] as const satisfies DurationUnit[]

/** Zones listed at once; the others are found by typing. */
const zonesShownMax = 60

/** "Any" excludes all other values: the last choice counts. */
function withAny(values: string[]): string[] {
  if (values.at(-1) === 'any') return ['any']
  return values.filter((value) => value !== 'any').toSorted((one, other) => Number(one) - Number(other))
}

function useChoices(): Record<ListedField, { value: string; label: string }[]> & { zones: string[] } {
  const t = useWords()
  const locale = useLocale()
  return useMemo(() => {
    const any = { value: 'any', label: t('schedule.field.any') }
    const numbers = (least: number, most: number, label: (value: number) => string = String) => [
      any,
      ...Array.from({ length: most - least + 1 }, (_, index) => ({
        value: String(least + index),
        label: label(least + index),
      })),
    ]
    const named = (options: Intl.DateTimeFormatOptions, date: (value: number) => number) => (value: number) =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(date(value))
    // 2023-01-01 was a Sunday.
    const weekday = named({ weekday: 'long' }, (day) => Date.UTC(2023, 0, 1 + day))
    const month = named({ month: 'long' }, (number) => Date.UTC(2023, number - 1, 1))
    const sunday = { value: '0', label: weekday(0) }
    return {
      daysOfWeek: [...numbers(1, 6, weekday), sunday],
      hours: numbers(0, 23),
      minutes: numbers(0, 59),
      daysOfMonth: numbers(1, 31),
      months: numbers(1, 12, month),
      zones: [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])],
    }
  }, [t, locale])
}
