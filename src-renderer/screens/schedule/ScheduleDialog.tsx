/** Writing a job's schedule: how it starts, at which times, and at once what that means. */
import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { CalendarClock, CalendarX, Plus } from 'lucide-react'
import { useMemo, useState, type SubmitEvent } from 'react'
import { startMethods, type JobSchedule, type Schedule } from '../../../src-main/contract/schedule.ts'
import type { Fault } from '../../../src-main/contract/faults.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { Section } from '../../parts/Section.tsx'
import { faultFrom } from '../../state/loaded.ts'
import { useWords } from '../../words/words.tsx'
import { personZone } from './personTimes.ts'
import { usePreview } from './preview.ts'
import { RecordForm } from './RecordForm.tsx'
import { RunTable } from './RunTable.tsx'
import { draftOf, newRecord, scheduleFrom, type RecordDraft } from './scheduleDraft.ts'

interface ScheduleDialogProps {
  /** Null: nobody asked for it. */
  job: JobSchedule | null
  /** Throws the engine's `Fault`. */
  onSave: (job: number, schedule: Schedule | null) => Promise<void>
  onClose: () => void
}

export function ScheduleDialog({ job, onSave, onClose }: ScheduleDialogProps) {
  const say = useWords()
  return (
    <Modal
      opened={job !== null}
      onClose={onClose}
      size={900}
      title={job && say('schedule.dialog.title', { job: job.job, name: job.harvest })}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      {job && <ScheduleForm key={job.job} job={job} onSave={onSave} onClose={onClose} />}
    </Modal>
  )
}

function ScheduleForm({ job, onSave, onClose }: ScheduleDialogProps & { job: JobSchedule }) {
  const say = useWords()
  const [draft, setDraft] = useState(() => draftOf(job.schedule, personZone()))
  const [saving, setSaving] = useState(false)
  const [refusal, setRefusal] = useState<Fault | null>(null)
  const made = useMemo(() => scheduleFrom(draft), [draft])
  const problem = 'problem' in made ? made.problem : null

  async function save(schedule: Schedule | null): Promise<void> {
    setSaving(true)
    setRefusal(null)
    try {
      await onSave(job.job, schedule)
      onClose()
    } catch (error) {
      setRefusal(faultFrom(error))
      setSaving(false)
    }
  }
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if ('schedule' in made && !saving) void save(made.schedule)
  }
  const changeRecord = (changed: RecordDraft) =>
    setDraft((before) => ({ ...before, records: before.records.map((one) => (one.id === changed.id ? changed : one)) }))
  const removeRecord = (id: number) =>
    setDraft((before) => ({ ...before, records: before.records.filter((one) => one.id !== id) }))
  const addRecord = () =>
    setDraft((before) => {
      const id = Math.max(...before.records.map((one) => one.id)) + 1
      return { ...before, records: [...before.records, newRecord(id, before.records.at(-1)?.timeZone ?? personZone())] }
    })

  return (
    <form onSubmit={submit} noValidate aria-label={say('schedule.title')}>
      <Stack gap="md">
        <Radio.Group
          label={say('schedule.method')}
          value={draft.startMethod}
          onChange={(value) =>
            setDraft((before) => ({
              ...before,
              startMethod: startMethods.find((method) => method === value) ?? before.startMethod,
            }))
          }
        >
          <Stack gap={6} mt={6}>
            {startMethods.map((method) => (
              <Radio
                key={method}
                value={method}
                label={say(`schedule.method.${method}`)}
                description={say(`schedule.method.${method}.text`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Text size="sm" c="dimmed">
          {say('schedule.fields.hint')}
        </Text>
        {draft.records.map((record, index) => (
          <RecordForm
            key={record.id}
            number={index + 1}
            record={record}
            wrong={problem?.id === record.id ? problem.field : null}
            onChange={changeRecord}
            onRemove={draft.records.length > 1 ? () => removeRecord(record.id) : null}
          />
        ))}
        <Group>
          <Button variant="default" size="xs" leftSection={<Plus size={14} aria-hidden />} onClick={addRecord}>
            {say('schedule.record.add')}
          </Button>
        </Group>
        <Preview schedule={'schedule' in made ? made.schedule : null} />
        {refusal && <FaultNote fault={refusal} />}
        <Group justify="space-between" className="form-end">
          <ActionButton
            variant="default"
            leftSection={<CalendarX size={16} aria-hidden />}
            why={job.schedule === null ? say('schedule.remove.why') : saving ? say('schedule.saving') : null}
            onClick={() => void save(null)}
          >
            {say('schedule.remove')}
          </ActionButton>
          <ActionButton
            type="submit"
            leftSection={<CalendarClock size={16} aria-hidden />}
            why={problem ? say('schedule.save.why') : saving ? say('schedule.saving') : null}
            onClick={() => undefined}
          >
            {say('schedule.save')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

function Preview({ schedule }: { schedule: Schedule | null }) {
  const say = useWords()
  const preview = usePreview(schedule)
  const isThere = schedule !== null && preview.is === 'ready'
  const text = !isThere
    ? say(schedule === null ? 'schedule.preview.wrong' : 'schedule.preview.wait')
    : preview.value.words.join('; ')
  const none = schedule?.startMethod === 'DISABLE' ? 'schedule.preview.off' : 'schedule.preview.none'
  return (
    <Section title={say('schedule.preview')}>
      {preview.is === 'refused' && schedule !== null ? (
        <FaultNote fault={preview.fault} />
      ) : (
        <Text role="status">{text}</Text>
      )}
      {isThere && preview.value.runs.length === 0 && <Text c="dimmed">{say(none)}</Text>}
      {isThere && preview.value.runs.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            {say('schedule.nextRuns.zone', { zone: personZone() })}
          </Text>
          <RunTable label={say('schedule.preview')} runs={preview.value.runs} />
        </>
      )}
    </Section>
  )
}
