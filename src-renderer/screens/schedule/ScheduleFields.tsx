/** Edits a schedule: start, records, and a preview of the resulting windows. */
import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { startMethods, type Schedule } from '../../../src-main/contract/services/schedule.ts'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { Section } from '../../parts/Section.tsx'
import { useWords } from '../../words/words.tsx'
import { localZone } from './localTimes.ts'
import { usePreview } from './preview.ts'
import { RecordForm } from './RecordForm.tsx'
import { RunTable } from './RunTable.tsx'
import { newRecord, scheduleFrom, type RecordDraft, type ScheduleDraft } from './scheduleDraft.ts'

interface ScheduleFieldsProps {
  draft: ScheduleDraft
  onChange: (draft: ScheduleDraft) => void
}

export function ScheduleFields({ draft, onChange }: ScheduleFieldsProps) {
  const t = useWords()
  const made = useMemo(() => scheduleFrom(draft), [draft])
  const problem = 'problem' in made ? made.problem : null
  const withRecords = (records: RecordDraft[]) => onChange({ ...draft, records })
  const changeRecord = (changed: RecordDraft) =>
    withRecords(draft.records.map((one) => (one.id === changed.id ? changed : one)))
  const removeRecord = (id: number) => withRecords(draft.records.filter((one) => one.id !== id))
  const addRecord = () => {
    const id = Math.max(...draft.records.map((one) => one.id)) + 1
    withRecords([...draft.records, newRecord(id, draft.records.at(-1)?.timeZone ?? localZone())])
  }
  return (
    <>
      <Radio.Group
        data-field="schedule.startMethod"
        label={t('schedule.method')}
        value={draft.startMethod}
        onChange={(value) =>
          onChange({ ...draft, startMethod: startMethods.find((method) => method === value) ?? draft.startMethod })
        }
      >
        <Stack gap={6} mt={6}>
          {startMethods.map((method) => (
            <Radio
              key={method}
              value={method}
              label={t(`schedule.method.${method}`)}
              description={t(`schedule.method.${method}.text`)}
            />
          ))}
        </Stack>
      </Radio.Group>
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
          {t('schedule.record.add')}
        </Button>
      </Group>
      <Preview schedule={'schedule' in made ? made.schedule : null} />
    </>
  )
}

function Preview({ schedule }: { schedule: Schedule | null }) {
  const t = useWords()
  const preview = usePreview(schedule)
  const isThere = schedule !== null && preview.is === 'ready'
  const text = !isThere
    ? t(schedule === null ? 'schedule.preview.wrong' : 'schedule.preview.wait')
    : preview.value.words.map((record) => t(record)).join('; ')
  const none = schedule?.startMethod === 'DISABLE' ? 'schedule.preview.off' : 'schedule.preview.none'
  return (
    <Section title={t('schedule.preview')}>
      {preview.is === 'refused' && schedule !== null ? (
        <FaultNote fault={preview.fault} />
      ) : (
        <Text role="status">{text}</Text>
      )}
      {isThere && preview.value.runs.length === 0 && <Text c="dimmed">{t(none)}</Text>}
      {isThere && preview.value.runs.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            {t('schedule.nextRuns.zone', { zone: localZone() })}
          </Text>
          <RunTable label={t('schedule.preview')} runs={preview.value.runs} />
        </>
      )}
    </Section>
  )
}
