/** Choosing documents of a queue by their addresses or their host, with what is chosen shown meanwhile: to reject them, to
 *  delete them, or to put them first or last. */
import { Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useCallback, useState, type SubmitEvent } from 'react'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { lifts, type Effect, type Lift, type Selection } from '../../../src-main/contract/services/live.ts'
import { patternComplaint } from '../../../src-main/contract/shapes/pattern.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { Section } from '../../parts/Section.tsx'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useFormErrors } from '../../parts/useFormErrors.ts'
import { faultFrom, type Loaded } from '../../state/loaded.ts'
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

function ChoiceForm({ choice, job, onDone, onClose }: ChoiceDialogProps & { choice: Choice }) {
  const t = useWords()
  const { services } = useSession()
  const [pattern, setPattern] = useState('')
  const [host, setHost] = useState('')
  const [to, setTo] = useState<Lift>('first')
  const [going, setGoing] = useState(false)
  const [refusal, setRefusal] = useState<Fault | null>(null)
  const complaint = patternComplaint(pattern)
  const chosen = selectionOf(pattern, choice === 'reject' ? '' : host)
  const missing = chosen ? null : t(choice === 'reject' ? 'queue.problem.noPattern' : 'queue.problem.nothing')
  const saved = useUnsaved(pattern !== '' || host !== '' || to !== 'first')

  const ask = useCallback(
    ({ of, place, isTrial }: { of: Selection; place: Lift; isTrial: boolean }): Promise<Effect> => {
      if (choice === 'reject') return services.queue.reject({ job, pattern: of.pattern ?? '', isTrial })
      if (choice === 'drop') return services.queue.drop({ job, of, isTrial })
      return services.queue.lift({ job, of, to: place, isTrial })
    },
    [services, choice, job],
  )
  const preview = useTrial(chosen === null || complaint !== null ? null : { of: chosen, place: to, isTrial: true }, ask)
  const refusedPreview = preview?.is === 'refused' ? preview.fault : null
  const errors = useFormErrors({ pattern: complaint ?? missing, host: null }, refusal ?? refusedPreview)

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (going || !errors.isComplete() || chosen === null) return
    setGoing(true)
    setRefusal(null)
    try {
      await ask({ of: chosen, place: to, isTrial: false })
      saved()
      onDone()
      onClose()
    } catch (error) {
      const fault = faultFrom(error)
      setRefusal(fault)
      setGoing(false)
      errors.leadTo(fault)
    }
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
        <TextInput
          {...errors.control('pattern')}
          {...(complaint !== null && { error: complaint })}
          label={t('queue.pattern')}
          description={t('queue.pattern.hint')}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          data-autofocus
          value={pattern}
          onChange={(event) => {
            setPattern(event.currentTarget.value)
            setRefusal(null)
          }}
        />
        {choice !== 'reject' && (
          <TextInput
            {...errors.control('host')}
            label={t('queue.ofHost')}
            description={t('queue.ofHost.hint')}
            spellCheck={false}
            value={host}
            onChange={(event) => {
              setHost(event.currentTarget.value)
              setRefusal(null)
            }}
          />
        )}
        {choice === 'lift' && (
          <Radio.Group
            label={t('queue.lift.to')}
            value={to}
            onChange={(value) => setTo(lifts.find((lift) => lift === value) ?? to)}
          >
            <Stack gap={6} mt={6}>
              {lifts.map((lift) => (
                <Radio key={lift} value={lift} label={t(`queue.lift.${lift}`)} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        <Preview choice={choice} of={preview} />
        {errors.note && <FaultNote fault={errors.note} />}
        <Group justify="end">
          <ActionButton
            type="submit"
            {...(choice === 'lift' ? {} : { color: 'red' })}
            why={going ? t('queue.why.going') : null}
            onClick={() => undefined}
          >
            {t(`queue.${choice}.verb`)}
          </ActionButton>
        </Group>
      </Stack>
    </form>
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
      {of?.is === 'ready' && of.value.inHands > 0 && (
        <Text c="dimmed">
          {t(choice === 'lift' ? 'queue.preview.inHands.lift' : 'queue.preview.inHands', { count: of.value.inHands })}
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
