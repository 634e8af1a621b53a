/** Chooses URLs of a queue by a pattern or their host, with a preview: to reject them, to delete them, or to change their priority. */
import { Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useCallback, useState, type SubmitEvent } from 'react'
import { lifts, type Effect, type Lift, type Selection } from '../../../src-main/contract/services/live.ts'
import { patternProblem } from '../../../src-main/contract/shapes/pattern.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { Section } from '../../parts/Section.tsx'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useFormErrors } from '../../parts/useFormErrors.ts'
import { useSending } from '../../parts/useSending.ts'
import type { Loaded } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { useTrial } from './trial.ts'

export type Choice = 'reject' | 'drop' | 'lift'

interface ChoiceDialogProps {
  /** Null while the dialog is closed. */
  choice: Choice | null
  job: number
  onDone: () => void
  onClose: () => void
}

export function ChoiceDialog(props: ChoiceDialogProps) {
  const { choice, job, onClose } = props
  const t = useWords()
  return (
    <FormDialog
      opened={choice !== null}
      onClose={onClose}
      size={720}
      title={choice && t(`queue.${choice}.title`, { job })}
    >
      {choice && <ChoiceForm key={choice} {...props} choice={choice} />}
    </FormDialog>
  )
}

interface ChoiceDraft {
  pattern: string
  host: string
  to: Lift
}

const emptyDraft: ChoiceDraft = { pattern: '', host: '', to: 'first' }

function ChoiceForm({ choice, job, onDone, onClose }: ChoiceDialogProps & { choice: Choice }) {
  const t = useWords()
  const [draft, setDraft] = useState(emptyDraft)
  const { isSending, refusal, forget, send } = useSending()
  const wrong = patternProblem(draft.pattern)
  const problem = wrong && t(wrong)
  const chosen = selectionOf(draft.pattern, choice === 'reject' ? '' : draft.host)
  const missing = chosen ? null : t(choice === 'reject' ? 'queue.problem.noPattern' : 'queue.problem.nothing')
  const saved = useUnsaved(JSON.stringify(draft) !== JSON.stringify(emptyDraft))
  const ask = useAction(choice, job)
  const isAskable = chosen !== null && problem === null
  const preview = useTrial(isAskable ? { of: chosen, place: draft.to, isTrial: true } : null, ask)
  const refusedPreview = preview?.is === 'refused' ? preview.fault : null
  const errors = useFormErrors({ pattern: problem ?? missing, host: null }, refusal ?? refusedPreview)

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (isSending || !errors.isComplete() || chosen === null) return
    const fault = await send(() => ask({ of: chosen, place: draft.to, isTrial: false }))
    if (fault) return errors.leadTo(fault)
    saved()
    onDone()
    onClose()
  }

  return (
    <form
      ref={errors.form}
      onSubmit={(event) => void submit(event)}
      noValidate
      aria-label={t(`queue.${choice}.title`, { job })}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t(`queue.${choice}.text`)}
        </Text>
        <ChoiceFields
          choice={choice}
          draft={draft}
          problem={problem}
          control={errors.control}
          onChange={(changes) => {
            setDraft({ ...draft, ...changes })
            forget()
          }}
        />
        <Preview choice={choice} of={preview} />
        {errors.note && <FaultNote fault={errors.note} />}
        <Group justify="end">
          <ActionButton
            type="submit"
            {...(choice === 'lift' ? {} : { color: 'red' })}
            why={isSending ? t('queue.why.going') : null}
            onClick={() => undefined}
          >
            {t(`queue.${choice}.verb`)}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

/** `isTrial`: counts the affected URLs without changing anything. */
interface Asked {
  of: Selection
  place: Lift
  isTrial: boolean
}

function useAction(choice: Choice, job: number): (asked: Asked) => Promise<Effect> {
  const { services } = useSession()
  return useCallback(
    ({ of, place, isTrial }) => {
      if (choice === 'reject') return services.queue.reject({ job, pattern: of.pattern ?? '', isTrial })
      if (choice === 'drop') return services.queue.drop({ job, of, isTrial })
      return services.queue.lift({ job, of, to: place, isTrial })
    },
    [services, choice, job],
  )
}

interface ChoiceFieldsProps {
  choice: Choice
  draft: ChoiceDraft
  /** What is wrong with the pattern: shown while it is typed. */
  problem: string | null
  control: (field: 'pattern' | 'host') => object
  onChange: (changes: Partial<ChoiceDraft>) => void
}

function ChoiceFields({ choice, draft, problem, control, onChange }: ChoiceFieldsProps) {
  const t = useWords()
  return (
    <>
      <TextInput
        {...control('pattern')}
        {...(problem !== null && { error: problem })}
        label={t('queue.pattern')}
        description={t('queue.pattern.hint')}
        classNames={{ input: 'mono' }}
        spellCheck={false}
        data-autofocus
        value={draft.pattern}
        onChange={(event) => onChange({ pattern: event.currentTarget.value })}
      />
      {choice !== 'reject' && (
        <TextInput
          {...control('host')}
          label={t('queue.ofHost')}
          description={t('queue.ofHost.hint')}
          spellCheck={false}
          value={draft.host}
          onChange={(event) => onChange({ host: event.currentTarget.value })}
        />
      )}
      {choice === 'lift' && (
        <Radio.Group
          label={t('queue.lift.to')}
          value={draft.to}
          onChange={(value) => onChange({ to: lifts.find((lift) => lift === value) ?? draft.to })}
        >
          <Stack gap={6} mt={6}>
            {lifts.map((lift) => (
              <Radio key={lift} value={lift} label={t(`queue.lift.${lift}`)} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </>
  )
}

function selectionOf(pattern: string, host: string): Selection | null {
  const name = host.trim().toLowerCase()
  if (pattern === '' && name === '') return null
  return { ...(pattern === '' ? {} : { pattern }), ...(name === '' ? {} : { host: name }) }
}

function Preview({ choice, of }: { choice: Choice; of: Loaded<Effect> | null }) {
  const t = useWords()
  if (of?.is === 'refused') return null
  const text =
    of === null
      ? t('queue.preview.empty')
      : of.is === 'loading'
        ? t('queue.preview.wait')
        : t('queue.preview.count', { count: of.value.documents })
  return (
    <Section title={t('queue.preview')}>
      <Text role="status">{text}</Text>
      {of?.is === 'ready' && of.value.inProgress > 0 && (
        <Text c="dimmed">
          {t(choice === 'lift' ? 'queue.preview.inProgress.lift' : 'queue.preview.inProgress', {
            count: of.value.inProgress,
          })}
        </Text>
      )}
      {of?.is === 'ready' && of.value.first.length > 0 && (
        <ul aria-label={t('queue.preview.first', { shown: of.value.first.length })} className="mono wrap">
          {of.value.first.map((url) => (
            <li key={url}>{url}</li>
          ))}
        </ul>
      )}
    </Section>
  )
}
