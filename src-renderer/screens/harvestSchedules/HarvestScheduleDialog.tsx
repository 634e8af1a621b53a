/** Adds or changes a schedule that harvests share. */
import { Stack, Textarea, TextInput } from '@mantine/core'
import type { HarvestScheduleRow } from '../../../src-main/contract/services/harvestSchedules.ts'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { localZone } from '../schedule/localTimes.ts'
import { TimingFields } from './TimingFields.tsx'
import { timingDraftOf, timingFrom } from './timingDraft.ts'

interface HarvestScheduleDialogProps {
  /** The schedule that is changed; 'new' for another one; null while the dialog is closed. */
  schedule: HarvestScheduleRow | 'new' | null
  onClose: () => void
}

export function HarvestScheduleDialog({ schedule, onClose }: HarvestScheduleDialogProps) {
  const t = useWords()
  const title = schedule === 'new' ? t('timings.add') : t('timings.edit', { name: schedule?.name ?? '' })
  return (
    <FormDialog opened={schedule !== null} onClose={onClose} size={760} title={title}>
      {schedule !== null && <Form schedule={schedule === 'new' ? null : schedule} onClose={onClose} />}
    </FormDialog>
  )
}

function Form({ schedule, onClose }: { schedule: HarvestScheduleRow | null; onClose: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: {
      ...timingDraftOf(schedule?.timing ?? null, localZone()),
      ...{ name: schedule?.name ?? '', comments: schedule?.comments ?? '' },
    },
    problemsOf: (typed) => ({
      name: typed.name.trim() === '' ? t('form.needed') : null,
      comments: null,
      timing: timingFrom(typed) === null ? t('timing.wrong') : null,
    }),
    save: async (typed) => {
      const timing = timingFrom(typed)
      if (timing === null) return
      const input = { name: typed.name.trim(), comments: typed.comments, timing }
      if (schedule === null) await services.harvestSchedules.add(input)
      else await services.harvestSchedules.edit({ name: schedule.name, schedule: input })
    },
    onSaved: onClose,
  })
  const { error } = control('timing')
  return (
    <form {...form} aria-label={t('timings.form')}>
      <Stack>
        <TextInput
          {...control('name')}
          label={t('timings.name')}
          required
          data-autofocus
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TimingFields draft={draft} onChange={change} {...(error !== undefined && { error })} />
        <Textarea
          {...control('comments')}
          label={t('harvests.comments')}
          autosize
          minRows={2}
          value={draft.comments}
          onChange={(event) => change({ comments: event.currentTarget.value })}
        />
        <FormEnd refusal={refusal} verb={t('timings.save')} why={isSending ? t('schedule.saving') : null} />
      </Stack>
    </form>
  )
}
