/** Form of a batch job: module, files and time limits. */
import { Alert, Group, NumberInput, Radio, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { Play, TriangleAlert } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import { useStore } from 'zustand'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { patternProblem } from '../../../src-main/contract/shapes/pattern.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useFormErrors } from '../../parts/useFormErrors.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { isWord, useWords, type Translate } from '../../words/words.tsx'
import {
  emptyDraft,
  isMinutes,
  minutesMax,
  moduleProblemOf,
  requestOf,
  type BatchDraft,
  type BatchField,
} from './batchDraft.ts'

const ownModule = 'own module'

export function BatchForm() {
  const t = useWords()
  const { batch } = useSession()
  const { builtIns, starting, refusal, load, start, forgetRefusal } = useStore(batch)
  const [draft, setDraft] = useState(emptyDraft)
  const [before, setBefore] = useState(draft)
  useUnsaved(JSON.stringify(draft) !== JSON.stringify(before))
  // Starting a run again may also be refused, which does not concern this form.
  const [ownRefusal, setOwnRefusal] = useState<Fault | null>(null)
  const change = (changes: Partial<BatchDraft>) => {
    setDraft((earlier) => ({ ...earlier, ...changes }))
    forgetRefusal()
  }
  const moduleProblem = moduleProblemOf(draft)
  const minutesProblem = (minutes: number) => (isMinutes(minutes) ? null : t('batch.problem.time', { minutesMax }))
  const filesProblem = patternProblem(draft.files)
  const problems: Record<BatchField, string | null> = {
    module: moduleProblem && t(`batch.problem.${moduleProblem}`),
    files: filesProblem && t(filesProblem),
    jobs: null,
    replica: null,
    timeoutSeconds: minutesProblem(draft.minutes),
    fileTimeoutSeconds: minutesProblem(draft.fileMinutes),
  }
  const errors = useFormErrors(problems, refusal === ownRefusal ? refusal : null)
  const note = refusal === ownRefusal ? errors.note : refusal

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (starting || !errors.isComplete()) return
    await start(requestOf(draft))
    const { refusal: fault } = batch.getState()
    setOwnRefusal(fault)
    if (fault) errors.leadTo(fault)
    else setBefore(draft)
  }

  return (
    <Await of={builtIns} onRetry={() => void load()}>
      {(known) => (
        <form
          ref={errors.form}
          className="card"
          onSubmit={(event) => void submit(event)}
          noValidate
          aria-label={t('batch.new')}
        >
          <Stack>
            <Radio.Group
              label={t('batch.module')}
              value={draft.builtIn ?? ownModule}
              onChange={(value) => change({ builtIn: value === ownModule ? null : value })}
            >
              <Stack gap="xs" mt={6}>
                {known.map(({ name, does }) => (
                  <Radio key={name} value={name} label={builtInWords(t, name)} description={t(does)} />
                ))}
                <Radio value={ownModule} label={t('batch.module.own')} description={t('batch.module.own.does')} />
              </Stack>
            </Radio.Group>
            {draft.builtIn === null && <OwnModule draft={draft} change={change} control={errors.control} />}
            <Narrowing draft={draft} change={change} control={errors.control} />
            {note && <FaultNote fault={note} />}
            <Group justify="end">
              <ActionButton
                needs="batch.start"
                type="submit"
                onClick={() => undefined}
                leftSection={<Play size={16} aria-hidden />}
                why={starting ? t('batch.begin.why.starting') : null}
              >
                {t('batch.begin')}
              </ActionButton>
            </Group>
          </Stack>
        </form>
      )}
    </Await>
  )
}

function builtInWords(t: Translate, name: string): string {
  const id = `batch.builtIn.${name}`
  return isWord(id) ? t(id) : name
}

interface ChoiceProps {
  draft: BatchDraft
  change: (changes: Partial<BatchDraft>) => void
  control: (field: BatchField) => object
}

function OwnModule({ draft, change, control }: ChoiceProps) {
  const t = useWords()
  return (
    <>
      <Alert role="note" color="yellow" icon={<TriangleAlert aria-hidden />} title={t('batch.warning.title')}>
        {t('batch.warning')}
      </Alert>
      <TextInput
        {...control('module')}
        label={t('batch.path')}
        description={t('batch.path.hint')}
        classNames={{ input: 'mono' }}
        spellCheck={false}
        value={draft.path}
        onChange={(event) => change({ path: event.currentTarget.value })}
      />
    </>
  )
}

const kinds = ['both', 'content', 'metadata'] as const

function Narrowing({ draft, change, control }: ChoiceProps) {
  const t = useWords()
  const { jobs: jobsStore, archive } = useSession()
  const jobs = valueOf(useStore(jobsStore).jobs) ?? []
  const filesProblem = patternProblem(draft.files)
  const replicas = (valueOf(useStore(archive).replicas) ?? []).filter(({ kind }) => kind === 'files')
  return (
    <details className="more">
      <summary>{t('batch.more')}</summary>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="sm">
        <TextInput
          {...control('files')}
          {...(filesProblem !== null && { error: t(filesProblem) })}
          label={t('batch.files')}
          description={t('batch.files.hint')}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          value={draft.files}
          onChange={(event) => change({ files: event.currentTarget.value })}
        />
        <Select
          {...control('jobs')}
          label={t('batch.job')}
          placeholder={t('batch.job.all')}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('batch.job.all') }}
          data={jobs.map(({ job, harvest }) => ({
            value: String(job),
            label: t('batch.job.name', { job, name: harvest }),
          }))}
          value={draft.job === null ? null : String(draft.job)}
          onChange={(job) => change({ job: job === null ? null : Number(job) })}
        />
        <Select
          label={t('batch.kind')}
          allowDeselect={false}
          data={kinds.map((kind) => ({ value: kind, label: t(`batch.kind.${kind}`) }))}
          value={draft.kind}
          onChange={(value) => change({ kind: kinds.find((kind) => kind === value) ?? draft.kind })}
        />
        <Select
          {...control('replica')}
          label={t('batch.replica')}
          placeholder={t('batch.replica.any')}
          clearable
          clearButtonProps={{ 'aria-label': t('batch.replica.clear') }}
          data={replicas.map(({ replica }) => replica)}
          value={draft.replica}
          onChange={(replica) => change({ replica })}
        />
        <Minutes
          control={control('timeoutSeconds')}
          label={t('batch.minutes')}
          hint={t('batch.minutes.hint')}
          value={draft.minutes}
          onChange={(minutes) => change({ minutes })}
        />
        <Minutes
          control={control('fileTimeoutSeconds')}
          label={t('batch.fileMinutes')}
          hint={t('batch.fileMinutes.hint')}
          value={draft.fileMinutes}
          onChange={(fileMinutes) => change({ fileMinutes })}
        />
      </SimpleGrid>
    </details>
  )
}

interface MinutesProps {
  control: object
  label: string
  hint: string
  value: number
  onChange: (minutes: number) => void
}

/** An empty field is invalid, not zero. */
function Minutes({ control, label, hint, value, onChange }: MinutesProps) {
  return (
    <NumberInput
      {...control}
      label={label}
      description={hint}
      min={1}
      max={minutesMax}
      allowDecimal={false}
      thousandSeparator
      value={value === 0 ? '' : value}
      onChange={(typed) => onChange(Number(typed))}
    />
  )
}
