/** Adds or changes a connection. */
import { Group, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { Save } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import type { ConnectionRow } from '../../../src-main/contract/services/connections.ts'
import { connectorTexts, type ConnectorName } from '../../../src-main/contract/services/connectors.ts'
import { outputNames, repositoryNames } from '../../../src-main/contract/shapes/choices.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useSending } from '../../parts/useSending.ts'
import { useShownRefusal } from '../../parts/useShownRefusal.ts'
import { useSession } from '../../state/session.tsx'
import { faultText } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'
import { SettingsOfKind } from '../harvest/ConnectorPart.tsx'
import type { Problem } from '../harvest/harvestDraft.ts'
import { problemWords, type ErrorOf } from '../harvest/problemWords.ts'
import { ThrottleRules } from '../harvest/ThrottleRules.tsx'
import {
  addedConnection,
  changedConnection,
  connectionControlOf,
  connectionDraftOf,
  isOutput,
  newConnection,
  withConnector,
  type ConnectionDraft,
  type Result,
} from './connectionDraft.ts'

interface ConnectionDialogProps {
  /** The connection to change, `new` for another one; null while the dialog is closed. */
  edited: ConnectionRow | 'new' | null
  onClose: () => void
}

export function ConnectionDialog({ edited, onClose }: ConnectionDialogProps) {
  const t = useWords()
  const title = edited === 'new' ? t('connections.add') : edited && t('connections.dialog.edit', { name: edited.name })
  return (
    <FormDialog opened={edited !== null} onClose={onClose} size={760} title={title}>
      {edited && <ConnectionForm edited={edited === 'new' ? null : edited} onClose={onClose} />}
    </FormDialog>
  )
}

interface ConnectionFormProps {
  edited: ConnectionRow | null
  onClose: () => void
}

function ConnectionForm({ edited, onClose }: ConnectionFormProps) {
  const t = useWords()
  const { draft, setDraft, errorOf, refusal, isSending, form, save } = useConnectionForm({ edited, onClose })
  const change = (changes: Partial<ConnectionDraft>) => setDraft({ ...draft, ...changes })
  const isSource = !isOutput(draft.connector)
  return (
    <form ref={form} onSubmit={(event) => void save(event)} noValidate aria-label={t('connections.title')}>
      <Stack gap="md">
        <TextInput
          data-field="connection.name"
          label={t('connections.name')}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          required
          disabled={edited !== null}
          {...(edited === null && { 'data-autofocus': true })}
          {...errorOf('connection.name')}
        />
        <Textarea
          data-field="connection.description"
          label={t('connections.description')}
          value={draft.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
          autosize
          {...errorOf('connection.description')}
        />
        <ConnectorSelect
          chosen={draft.connector}
          isFixed={edited !== null}
          onChange={(connector) => setDraft(withConnector(draft, connector))}
        />
        {isSource && (
          <SettingsOfKind draft={draft.settings} errorOf={errorOf} onChange={(settings) => change({ settings })} />
        )}
        <NumberInput
          data-field="connection.connectionsMax"
          label={t('connections.connectionsMax')}
          description={t(`connections.connectionsMax.${isSource ? 'repository' : 'output'}`)}
          value={draft.connectionsMax}
          onChange={(connectionsMax) => change({ connectionsMax })}
          hideControls
          required
          {...errorOf('connection.connectionsMax')}
        />
        {isSource && (
          <Stack gap="md" role="group" aria-label={t('connections.throttles.legend')}>
            <Text size="sm" c="dimmed">
              {t('connections.throttles.text')}
            </Text>
            <ThrottleRules rules={draft.rules} errorOf={errorOf} onChange={(rules) => change({ rules })} />
          </Stack>
        )}
        {refusal && <FaultNote fault={refusal} />}
        <Group justify="end" className="form-end">
          <ActionButton
            type="submit"
            leftSection={<Save size={16} aria-hidden />}
            why={isSending ? t('connections.saving') : null}
            onClick={() => undefined}
          >
            {t('connections.save')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

interface ConnectorSelectProps {
  chosen: ConnectorName
  isFixed: boolean
  onChange: (connector: ConnectorName) => void
}

function ConnectorSelect({ chosen, isFixed, onChange }: ConnectorSelectProps) {
  const t = useWords()
  const names: readonly ConnectorName[] = [...repositoryNames, ...outputNames]
  const optionOf = (name: ConnectorName) => ({ value: name, label: t(connectorTexts[name].title) })
  return (
    <Select
      data-field="connector"
      label={t('connections.connector')}
      description={isFixed ? t('connections.connector.fixed') : t(connectorTexts[chosen].does)}
      data={[
        { group: t('connections.kind.repository'), items: repositoryNames.map(optionOf) },
        { group: t('connections.kind.output'), items: outputNames.map(optionOf) },
      ]}
      value={chosen}
      onChange={(value) => onChange(names.find((name) => name === value) ?? chosen)}
      allowDeselect={false}
      disabled={isFixed}
    />
  )
}

/** State of the form: its input, the errors, and how it is saved. */
function useConnectionForm({ edited, onClose }: ConnectionFormProps) {
  const t = useWords()
  const { services } = useSession()
  const [opened] = useState(() => (edited ? connectionDraftOf(edited) : newConnection))
  const [draft, setDraft] = useState(opened)
  const [problems, setProblems] = useState<Problem[]>([])
  const { form, lead } = useShownRefusal()
  const { isSending, refusal, forget, send } = useSending()
  const saved = useUnsaved(JSON.stringify(draft) !== JSON.stringify(opened))

  function show(found: Problem[]): void {
    setProblems(found)
    lead(found.map(({ path }) => connectionControlOf(path)))
  }

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (isSending) return
    forget()
    const made = madeOf(services, edited, draft)
    if ('problems' in made) return show(made.problems)
    setProblems([])
    const fault = await send(made.value)
    if (fault) return show(refusedFields(fault))
    saved()
    onClose()
  }

  const errorOf: ErrorOf = (control) => {
    const problem = problems.find(({ path }) => connectionControlOf(path) === control)
    return problem ? { error: problemWords(t, problem) } : {}
  }
  return { draft, setDraft, errorOf, refusal: refusal?.fields.length === 0 ? refusal : null, isSending, form, save }
}

/** Returns the call that saves the input, or everything that is wrong with it. */
function madeOf(
  { connections }: Loupe,
  edited: ConnectionRow | null,
  draft: ConnectionDraft,
): Result<() => Promise<unknown>> {
  if (!edited) {
    const added = addedConnection(draft)
    return 'problems' in added ? added : { value: () => connections.add(added.value) }
  }
  const changed = changedConnection(draft)
  return 'problems' in changed
    ? changed
    : { value: () => connections.edit({ name: edited.name, change: changed.value }) }
}

/** The fields that the engine refused. */
function refusedFields(fault: Fault): Problem[] {
  const issue = { code: 'engine', message: faultText(fault) } as const
  return fault.fields.map((path) => ({ path: path[0] === 'change' ? path.slice(1) : path, issue, line: null }))
}
