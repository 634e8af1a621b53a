/** Edits the timing of a harvest schedule, and shows its next runs. */
import { NumberInput, Radio, Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useCallback, useMemo } from 'react'
import { timingUnits } from '../../../src-main/contract/services/harvestSchedules.ts'
import { typingPauseMs } from '../../parts/typing.ts'
import { Section } from '../../parts/Section.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSession } from '../../state/session.tsx'
import { useLocale, useWords } from '../../words/words.tsx'
import { localZone, useLocalTime } from '../schedule/localTimes.ts'
import { timingFrom, unitOf, type TimingDraft } from './timingDraft.ts'

interface TimingFieldsProps {
  draft: TimingDraft
  onChange: (changes: Partial<TimingDraft>) => void
  error?: string
}

/** Zones listed at once; the others are found by typing. */
const zonesShownMax = 60

export function TimingFields({ draft, onChange, error }: TimingFieldsProps) {
  const t = useWords()
  const zones = useMemo(() => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])], [])
  return (
    <fieldset>
      <legend>{t('timing.title')}</legend>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <NumberInput
          data-field="timing"
          label={t('timing.every')}
          min={1}
          max={1_000}
          allowDecimal={false}
          value={draft.every}
          {...(error !== undefined && { error })}
          onChange={(every) => onChange({ every })}
        />
        <Select
          label={t('timing.unit')}
          data={timingUnits.map((unit) => ({ value: unit, label: t(`timing.unit.${unit}`) }))}
          value={draft.unit}
          allowDeselect={false}
          onChange={(value) => onChange({ unit: unitOf(value) ?? draft.unit })}
        />
        <Select
          label={t('schedule.zone')}
          data={zones}
          value={draft.timeZone}
          searchable
          allowDeselect={false}
          limit={zonesShownMax}
          nothingFoundMessage={t('schedule.zone.none')}
          onChange={(timeZone) => onChange({ timeZone: timeZone ?? draft.timeZone })}
        />
      </SimpleGrid>
      {draft.unit !== 'minute' && (
        <Switch
          mt="sm"
          label={t('timing.exact')}
          description={t('timing.exact.hint')}
          checked={draft.isExact}
          onChange={(event) => onChange({ isExact: event.currentTarget.checked })}
        />
      )}
      {draft.unit !== 'minute' && draft.isExact && <ExactFields draft={draft} onChange={onChange} />}
      <EndFields draft={draft} onChange={onChange} />
      <NextRuns draft={draft} />
    </fieldset>
  )
}

function ExactFields({ draft, onChange }: TimingFieldsProps) {
  const t = useWords()
  const days = useWeekdays()
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" mt="sm">
      {draft.unit === 'week' && (
        <Select
          label={t('timing.dayOfWeek')}
          data={days}
          value={String(draft.dayOfWeek)}
          allowDeselect={false}
          onChange={(value) => onChange({ dayOfWeek: Number(value) })}
        />
      )}
      {draft.unit === 'month' && (
        <NumberInput
          label={t('timing.dayOfMonth')}
          description={t('timing.dayOfMonth.hint')}
          min={1}
          max={31}
          allowDecimal={false}
          value={draft.dayOfMonth}
          onChange={(dayOfMonth) => onChange({ dayOfMonth })}
        />
      )}
      {draft.unit === 'hour' ? (
        <NumberInput
          label={t('timing.minute')}
          min={0}
          max={59}
          allowDecimal={false}
          value={Number(draft.time.split(':')[1] ?? 0)}
          onChange={(minute) => onChange({ time: `00:${String(minute).padStart(2, '0')}` })}
        />
      ) : (
        <TextInput
          type="time"
          label={t('timing.time')}
          value={draft.time}
          onChange={(event) => onChange({ time: event.currentTarget.value })}
        />
      )}
    </SimpleGrid>
  )
}

/** Weekdays from Monday, by their number. */
function useWeekdays(): { value: string; label: string }[] {
  const locale = useLocale()
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
    // 2023-01-01 was a Sunday.
    return [1, 2, 3, 4, 5, 6, 0].map((day) => ({
      value: String(day),
      label: format.format(Date.UTC(2023, 0, 1 + day)),
    }))
  }, [locale])
}

const ends = ['never', 'at', 'after'] as const

function EndFields({ draft, onChange }: TimingFieldsProps) {
  const t = useWords()
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mt="sm">
      <TextInput
        type="datetime-local"
        label={t('timing.start')}
        description={t('timing.start.hint')}
        value={draft.start}
        onChange={(event) => onChange({ start: event.currentTarget.value })}
      />
      <Radio.Group
        label={t('timing.ends')}
        value={draft.ends}
        onChange={(value) => onChange({ ends: ends.find((end) => end === value) ?? draft.ends })}
      >
        <Stack gap={6} mt={6}>
          {ends.map((end) => (
            <Radio key={end} value={end} label={t(`timing.ends.${end}`)} />
          ))}
        </Stack>
        {draft.ends === 'at' && (
          <TextInput
            mt="xs"
            type="datetime-local"
            aria-label={t('timing.end')}
            value={draft.end}
            onChange={(event) => onChange({ end: event.currentTarget.value })}
          />
        )}
        {draft.ends === 'after' && (
          <NumberInput
            mt="xs"
            aria-label={t('timing.runs')}
            min={1}
            allowDecimal={false}
            value={draft.runs}
            onChange={(runs) => onChange({ runs })}
          />
        )}
      </Radio.Group>
    </SimpleGrid>
  )
}

const runsShown = 5

function NextRuns({ draft }: { draft: TimingDraft }) {
  const t = useWords()
  const { services } = useSession()
  const localTime = useLocalTime({ withZone: false })
  const [settled] = useDebouncedValue(draft, typingPauseMs)
  const ask = useCallback(async () => {
    const timing = timingFrom(settled)
    return timing === null ? null : services.harvestSchedules.nextRuns({ timing, count: runsShown })
  }, [services, settled])
  const [runs] = useLoaded(ask)
  if (runs.is !== 'ready') return null
  return (
    <Section title={t('timing.next')}>
      {runs.value === null && <Text>{t('schedule.preview.wrong')}</Text>}
      {runs.value?.length === 0 && <Text>{t('timing.next.none')}</Text>}
      {runs.value && runs.value.length > 0 && (
        <>
          <Text size="sm" c="dimmed">
            {t('schedule.nextRuns.zone', { zone: localZone() })}
          </Text>
          <ul>
            {runs.value.map((time) => (
              <li key={time}>
                <time dateTime={time}>{localTime(time)}</time>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}
