/** Sets, changes or removes the schedule of a job. */
import { Group, Stack } from '@mantine/core'
import { CalendarClock, CalendarX } from 'lucide-react'
import { useMemo, useState, type SubmitEvent } from 'react'
import type { JobSchedule, Schedule } from '../../../src-main/contract/services/schedule.ts'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { faultFrom } from '../../state/loaded.ts'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useShownRefusal } from '../../parts/useShownRefusal.ts'
import { useWords } from '../../words/words.tsx'
import { localZone } from './localTimes.ts'
import { draftOf, scheduleFrom } from './scheduleDraft.ts'
import { ScheduleFields } from './ScheduleFields.tsx'

interface ScheduleDialogProps {
  /** Null while the dialog is closed. */
  job: JobSchedule | null
  /** Throws the engine's `Fault`. */
  onSave: (job: number, schedule: Schedule | null) => Promise<void>
  onClose: () => void
}

export function ScheduleDialog({ job, onSave, onClose }: ScheduleDialogProps) {
  const t = useWords()
  return (
    <FormDialog
      opened={job !== null}
      onClose={onClose}
      size={900}
      title={job && t('schedule.dialog.title', { job: job.job, name: job.harvest })}
    >
      {job && <ScheduleForm key={job.job} job={job} onSave={onSave} onClose={onClose} />}
    </FormDialog>
  )
}

function ScheduleForm({ job, onSave, onClose }: ScheduleDialogProps & { job: JobSchedule }) {
  const t = useWords()
  const [opened] = useState(() => draftOf(job.schedule, localZone()))
  const [draft, setDraft] = useState(opened)
  const saved = useUnsaved(JSON.stringify(draft) !== JSON.stringify(opened))
  const { form, lead } = useShownRefusal()
  const [saving, setSaving] = useState(false)
  const [refusal, setRefusal] = useState<Fault | null>(null)
  const made = useMemo(() => scheduleFrom(draft), [draft])
  const problem = 'problem' in made ? made.problem : null

  async function save(schedule: Schedule | null): Promise<void> {
    setSaving(true)
    setRefusal(null)
    try {
      await onSave(job.job, schedule)
      saved()
      onClose()
    } catch (error) {
      setRefusal(faultFrom(error))
      setSaving(false)
      lead([])
    }
  }
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if (problem) lead([`schedule.${draft.records.findIndex(({ id }) => id === problem.id)}.${problem.field}`])
    else if ('schedule' in made && !saving) void save(made.schedule)
  }

  return (
    <form ref={form} onSubmit={submit} noValidate aria-label={t('schedule.title')}>
      <Stack gap="md">
        <ScheduleFields draft={draft} onChange={setDraft} />
        {refusal && <FaultNote fault={refusal} />}
        <Group justify="space-between" className="form-end">
          <ActionButton
            needs="schedules.set"
            variant="default"
            leftSection={<CalendarX size={16} aria-hidden />}
            why={job.schedule === null ? t('schedule.remove.why') : saving ? t('schedule.saving') : null}
            onClick={() => void save(null)}
          >
            {t('schedule.remove')}
          </ActionButton>
          <ActionButton
            needs="schedules.set"
            type="submit"
            leftSection={<CalendarClock size={16} aria-hidden />}
            why={saving ? t('schedule.saving') : null}
            onClick={() => undefined}
          >
            {t('schedule.save')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}
