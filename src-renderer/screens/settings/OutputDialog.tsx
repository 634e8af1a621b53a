/** Adds or changes an output connection. */
import { Checkbox, Group, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { Save } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import type { OutputConnectorRow, OutputRow } from '../../../src-main/contract/services/outputs.ts'
import { outputSteps } from '../../../src-main/contract/shapes/choices.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useSending } from '../../parts/useSending.ts'
import { useShownRefusal } from '../../parts/useShownRefusal.ts'
import { useSession } from '../../state/session.tsx'
import { faultText } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'
import type { Problem } from '../harvest/harvestDraft.ts'
import { problemWords, type ErrorOf } from '../harvest/problemWords.ts'
import { OutputSettings } from './OutputSettings.tsx'
import {
  addedOutput,
  changedOutput,
  newOutput,
  outputControlOf,
  outputDraftOf,
  type OutputDraft,
} from './outputDraft.ts'

interface OutputDialogProps {
  /** The output connection to change, `new` for another one; null while the dialog is closed. */
  edited: OutputRow | 'new' | null
  connectors: readonly OutputConnectorRow[]
  onClose: () => void
}

export function OutputDialog({ edited, connectors, onClose }: OutputDialogProps) {
  const t = useWords()
  const title = edited === 'new' ? t('outputs.add') : edited && t('outputs.dialog.edit', { name: edited.name })
  return (
    <FormDialog opened={edited !== null} onClose={onClose} size={760} title={title}>
      {edited && <OutputForm edited={edited === 'new' ? null : edited} {...{ connectors, onClose }} />}
    </FormDialog>
  )
}

interface OutputFormProps extends Pick<OutputDialogProps, 'connectors' | 'onClose'> {
  edited: OutputRow | null
}

function OutputForm({ edited, connectors, onClose }: OutputFormProps) {
  const t = useWords()
  const { draft, setDraft, errorOf, refusal, isSending, form, save } = useOutputForm({ edited, onClose })
  const change = (changes: Partial<OutputDraft>) => setDraft({ ...draft, ...changes })
  return (
    <form ref={form} onSubmit={(event) => void save(event)} noValidate aria-label={t('outputs.title')}>
      <Stack gap="md">
        <TextInput
          data-field="output.name"
          label={t('outputs.name')}
          description={t('outputs.name.hint')}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          required
          disabled={edited !== null}
          {...(edited === null && { 'data-autofocus': true })}
          {...errorOf('output.name')}
        />
        <Textarea
          data-field="output.description"
          label={t('outputs.description')}
          value={draft.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
          autosize
          {...errorOf('output.description')}
        />
        <ConnectorSelect {...{ draft, connectors, errorOf }} isFixed={edited !== null} onChange={change} />
        <OutputSettings {...{ draft, errorOf }} onChange={change} />
        <Checkbox.Group
          data-field="output.steps"
          label={t('outputs.steps')}
          value={draft.steps}
          onChange={(chosen) => change({ steps: outputSteps.filter((step) => chosen.includes(step)) })}
        >
          <Group gap="md" mt={6}>
            {outputSteps.map((step) => (
              <Checkbox key={step} value={step} label={t(`outputs.step.${step}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        <NumberInput
          data-field="output.requestsMax"
          label={t('outputs.requestsMax')}
          value={draft.requestsMax}
          onChange={(requestsMax) => change({ requestsMax })}
          hideControls
          required
          {...errorOf('output.requestsMax')}
        />
        {refusal && <FaultNote fault={refusal} />}
        <Group justify="end" className="form-end">
          <ActionButton
            type="submit"
            leftSection={<Save size={16} aria-hidden />}
            why={isSending ? t('outputs.saving') : null}
            onClick={() => undefined}
          >
            {t('outputs.save')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

interface ConnectorSelectProps {
  draft: OutputDraft
  connectors: readonly OutputConnectorRow[]
  errorOf: ErrorOf
  isFixed: boolean
  onChange: (changes: Partial<OutputDraft>) => void
}

function ConnectorSelect({ draft, connectors, errorOf, isFixed, onChange }: ConnectorSelectProps) {
  const t = useWords()
  const kinds = (['solr', 'openSearch', 'webhook', 'folder'] as const).map((value) => ({
    value,
    label: t(`outputs.kind.${value}`),
  }))
  const modules = connectors.map(({ name }) => ({ value: `module:${name}`, label: name }))
  // The module of an output connection may not be registered any more.
  const own = draft.connector.startsWith('module:') && !modules.some(({ value }) => value === draft.connector)
  const missing = own ? [{ value: draft.connector, label: draft.connector.slice('module:'.length) }] : []
  return (
    <Select
      data-field="output.connector"
      label={t('outputs.connector')}
      {...(isFixed && { description: t('outputs.connector.fixed') })}
      data={[...kinds, ...modules, ...missing]}
      value={draft.connector}
      onChange={(connector) => onChange({ connector: connector ?? draft.connector })}
      allowDeselect={false}
      disabled={isFixed}
      {...errorOf('output.connector')}
    />
  )
}

/** State of the form: its input, the errors, and how it is saved. */
function useOutputForm({ edited, onClose }: Pick<OutputFormProps, 'edited' | 'onClose'>) {
  const t = useWords()
  const { services } = useSession()
  const [opened] = useState(() => (edited ? outputDraftOf(edited) : newOutput))
  const [draft, setDraft] = useState(opened)
  const [problems, setProblems] = useState<Problem[]>([])
  const { form, lead } = useShownRefusal()
  const { isSending, refusal, forget, send } = useSending()
  const saved = useUnsaved(JSON.stringify(draft) !== JSON.stringify(opened))

  function show(found: Problem[]): void {
    setProblems(found)
    lead(found.map(({ path }) => outputControlOf(path)))
  }

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (isSending) return
    forget()
    const made = edited ? changedOutput(draft, edited) : addedOutput(draft)
    if ('problems' in made) return show(made.problems)
    setProblems([])
    const call = () =>
      edited
        ? services.outputs.edit({ name: edited.name, change: made.value })
        : services.outputs.add({ ...made.value, name: draft.name } as Parameters<typeof services.outputs.add>[0])
    const fault = await send(call)
    if (fault) return show(refusedFields(fault))
    saved()
    onClose()
  }

  const errorOf: ErrorOf = (control) => {
    const problem = problems.find(({ path }) => outputControlOf(path) === control)
    return problem ? { error: problemWords(t, problem) } : {}
  }
  return { draft, setDraft, errorOf, refusal: refusal?.fields.length === 0 ? refusal : null, isSending, form, save }
}

/** The fields that the engine refused. */
function refusedFields(fault: Fault): Problem[] {
  const issue = { code: 'engine', message: faultText(fault) } as const
  return fault.fields.map((path) => ({ path: path[0] === 'change' ? path.slice(1) : path, issue, line: null }))
}
