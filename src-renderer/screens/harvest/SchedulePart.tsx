/** The part of the harvest form for the start: at once, or by a schedule. */
import { Checkbox, Stack } from '@mantine/core'
import { useWords } from '../../words/words.tsx'
import { localZone } from '../schedule/localTimes.ts'
import { draftOf, type ScheduleDraft } from '../schedule/scheduleDraft.ts'
import { ScheduleFields } from '../schedule/ScheduleFields.tsx'

interface SchedulePartProps {
  draft: ScheduleDraft | null
  onChange: (draft: ScheduleDraft | null) => void
}

export function SchedulePart({ draft, onChange }: SchedulePartProps) {
  const t = useWords()
  return (
    <fieldset>
      <legend>{t('form.schedule')}</legend>
      <Stack gap="md">
        <Checkbox
          label={t('form.schedule.by')}
          description={t('form.schedule.by.hint')}
          checked={draft !== null}
          onChange={(event) => onChange(event.currentTarget.checked ? draftOf(null, localZone()) : null)}
        />
        {draft && <ScheduleFields draft={draft} onChange={onChange} />}
      </Stack>
    </fieldset>
  )
}
