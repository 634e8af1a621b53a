/** Source and output of a harvest: two parts of the form, near its beginning and its end. */
import { Alert, Checkbox, Group, Radio, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { outputNames, repositoryNames } from '../../../src-main/contract/shapes/choices.ts'
import type { ConnectorName, ConnectorRow } from '../../../src-main/contract/services/connectors.ts'
import type { ConnectionKind, ConnectionRow } from '../../../src-main/contract/services/connections.ts'
import { FixedFields } from '../../parts/FixedFields.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import type { ErrorOf } from './problemWords.ts'
import { withSettings, type ConnectorDraft } from './connectorDraft.ts'

export interface ConnectorPartProps {
  draft: ConnectorDraft
  /** Undefined until the state of the connectors is loaded. */
  connectors: readonly ConnectorRow[] | undefined
  /** Undefined until they are loaded. */
  connections: readonly ConnectionRow[] | undefined
  errorOf: ErrorOf
  /** The reason why it cannot be changed now; null where it can. */
  fixed: string | null
  onChange: (draft: ConnectorDraft) => void
}

export function RepositoryChoice(props: ConnectorPartProps) {
  const { draft, connections, errorOf, fixed, onChange } = props
  const choose = (name: string) => {
    const chosen = connections?.find((row) => row.name === name)
    const settings = chosen?.kind === 'repository' ? chosen.settings : undefined
    onChange({ ...(settings ? withSettings(draft, settings) : draft), repositoryConnection: name })
  }
  return (
    <FixedFields why={fixed}>
      <ConnectionChoice
        {...{ kind: 'repository', field: 'connector.connection', connections, errorOf }}
        chosen={draft.repositoryConnection}
        onChange={choose}
      />
      {draft.repositoryConnection === '' && <RepositoryKind {...props} />}
      <NotInstalled name={draft.repository} connectors={props.connectors} />
    </FixedFields>
  )
}

interface ConnectionChoiceProps extends Pick<ConnectorPartProps, 'connections' | 'errorOf'> {
  kind: ConnectionKind
  field: string
  /** Empty: none. */
  chosen: string
  onChange: (name: string) => void
}

/** Chooses a connection. One that was removed meanwhile stays in the list, so that the form shows what it has. */
function ConnectionChoice({ kind, field, connections = [], errorOf, chosen, onChange }: ConnectionChoiceProps) {
  const t = useWords()
  const names = connections.filter((row) => row.kind === kind).map(({ name }) => name)
  const known = chosen === '' || names.includes(chosen) ? names : [...names, chosen]
  return (
    <Select
      data-field={field}
      {...errorOf(field)}
      label={t(`form.connection.${kind}`)}
      description={t(`form.connection.${kind}.hint`)}
      data={[{ value: '', label: t('form.connection.none') }, ...known.map((name) => ({ value: name, label: name }))]}
      value={chosen}
      onChange={(value) => onChange(value ?? '')}
      allowDeselect={false}
      mb="sm"
    />
  )
}

function RepositoryKind({ draft, errorOf, onChange }: ConnectorPartProps) {
  const t = useWords()
  return (
    <Radio.Group
      data-field="connector"
      {...errorOf('connector')}
      name="connector"
      label={t('form.connector')}
      description={t(`form.connector.${draft.repository}.hint`)}
      value={draft.repository}
      onChange={(value) =>
        onChange({ ...draft, repository: repositoryNames.find((name) => name === value) ?? draft.repository })
      }
    >
      <Group gap="lg" mt={6}>
        {repositoryNames.map((name) => (
          <Radio key={name} value={name} label={t(`form.connector.${name}`)} />
        ))}
      </Group>
    </Radio.Group>
  )
}

/** The harvest can be defined although its connector is missing: its job waits until the connector is installed. */
function NotInstalled({ name, connectors }: { name: ConnectorName } & Pick<ConnectorPartProps, 'connectors'>) {
  const t = useWords()
  const row = connectors?.find((each) => each.name === name)
  if (row === undefined || row.problem === null) return null
  return (
    <Alert mt="xs" color="yellow" icon={<TriangleAlert aria-hidden />} role="status">
      {t('form.connector.missing', { title: t(row.title) })}{' '}
      <a href={hrefOf({ place: 'settings' })}>{t('form.connector.settings')}</a>
    </Alert>
  )
}

/** Settings of the chosen connector. Those of a connection are not changed here. */
export function RepositorySettings(props: SettingsProps) {
  if (props.draft.repositoryConnection !== '') return null
  // The reason is shown once, at the choice of the connector.
  return (
    <fieldset disabled={props.fixed !== null}>
      <SettingsOfKind {...props} />
    </fieldset>
  )
}

type SettingsProps = Omit<ConnectorPartProps, 'connectors' | 'connections'>

/** Settings of the connector of a draft, without the choice. */
export function SettingsOfKind({ draft, errorOf, onChange }: Omit<SettingsProps, 'fixed'>) {
  const t = useWords()
  switch (draft.repository) {
    case 'web':
      return null
    case 'sitemap':
      return (
        <TextInput
          data-field="connector.changedSince"
          label={t('form.changedSince')}
          description={t('form.changedSince.hint')}
          value={draft.changedSince}
          onChange={(event) => onChange({ ...draft, changedSince: event.currentTarget.value })}
          {...errorOf('connector.changedSince')}
        />
      )
    case 'feed':
      return (
        <Checkbox
          data-field="connector.olderParts"
          {...errorOf('connector.olderParts')}
          label={t('form.olderParts')}
          checked={draft.olderParts}
          onChange={(event) => onChange({ ...draft, olderParts: event.currentTarget.checked })}
        />
      )
    case 'folder':
      return (
        <Checkbox
          data-field="connector.hidden"
          {...errorOf('connector.hidden')}
          label={t('form.hidden')}
          checked={draft.hidden}
          onChange={(event) => onChange({ ...draft, hidden: event.currentTarget.checked })}
        />
      )
    case 'module':
      return <ModuleSettings {...{ draft, errorOf, onChange }} />
  }
}

function ModuleSettings({ draft, errorOf, onChange }: Omit<SettingsProps, 'fixed'>) {
  const t = useWords()
  return (
    <Stack gap="sm">
      <TextInput
        data-field="connector.module"
        label={t('form.module')}
        description={t('form.module.hint')}
        value={draft.module}
        onChange={(event) => onChange({ ...draft, module: event.currentTarget.value })}
        {...errorOf('connector.module')}
      />
      <Textarea
        data-field="connector.settings"
        label={t('form.moduleSettings')}
        description={t('form.moduleSettings.hint')}
        autosize
        minRows={2}
        value={draft.moduleSettings}
        onChange={(event) => onChange({ ...draft, moduleSettings: event.currentTarget.value })}
        {...errorOf('connector.settings')}
      />
    </Stack>
  )
}

export function OutputChoice(props: ConnectorPartProps) {
  const { draft, connectors, connections, errorOf, fixed, onChange } = props
  const choose = (name: string) => {
    const chosen = connections?.find((row) => row.name === name)
    const output = chosen?.kind === 'output' ? chosen.settings.connector : draft.output
    onChange({ ...draft, output, outputConnection: name })
  }
  return (
    <FixedFields why={fixed}>
      <ConnectionChoice
        {...{ kind: 'output', field: 'output.connection', connections, errorOf }}
        chosen={draft.outputConnection}
        onChange={choose}
      />
      {draft.outputConnection === '' && <OutputKind {...props} />}
      <NotInstalled name={draft.output} connectors={connectors} />
    </FixedFields>
  )
}

function OutputKind({ draft, errorOf, onChange }: ConnectorPartProps) {
  const t = useWords()
  return (
    <Radio.Group
      data-field="output"
      {...errorOf('output')}
      name="output"
      aria-label={t('form.output')}
      value={draft.output}
      onChange={(value) => onChange({ ...draft, output: outputNames.find((name) => name === value) ?? draft.output })}
    >
      <Stack gap={6} mt={6}>
        {outputNames.map((name) => (
          <Radio key={name} value={name} label={t(`form.output.${name}`)} description={t(`form.output.${name}.hint`)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
