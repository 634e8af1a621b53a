/** Source and output of a harvest: two parts of the form, near its beginning and its end. */
import { Alert, Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { outputNames, repositoryNames } from '../../../src-main/contract/shapes/choices.ts'
import type { ConnectorName, ConnectorRow } from '../../../src-main/contract/services/connectors.ts'
import { FixedFields } from '../../parts/FixedFields.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import type { ErrorOf } from './problemWords.ts'
import type { ConnectorDraft } from './connectorDraft.ts'

export interface ConnectorPartProps {
  draft: ConnectorDraft
  /** Undefined until the state of the connectors is loaded. */
  connectors: readonly ConnectorRow[] | undefined
  errorOf: ErrorOf
  /** The reason why it cannot be changed now; null where it can. */
  fixed: string | null
  onChange: (draft: ConnectorDraft) => void
}

export function RepositoryChoice({ draft, connectors, errorOf, fixed, onChange }: ConnectorPartProps) {
  const t = useWords()
  return (
    <FixedFields why={fixed}>
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
      <NotInstalled name={draft.repository} connectors={connectors} />
    </FixedFields>
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

/** Settings of the chosen connector. */
export function RepositorySettings(props: Omit<ConnectorPartProps, 'connectors'>) {
  // The reason is shown once, at the choice of the connector.
  return (
    <fieldset disabled={props.fixed !== null}>
      <SettingsOfKind {...props} />
    </fieldset>
  )
}

function SettingsOfKind({ draft, errorOf, onChange }: Omit<ConnectorPartProps, 'connectors'>) {
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
  }
}

export function OutputChoice({ draft, connectors, errorOf, fixed, onChange }: ConnectorPartProps) {
  const t = useWords()
  return (
    <FixedFields why={fixed}>
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
            <Radio
              key={name}
              value={name}
              label={t(`form.output.${name}`)}
              description={t(`form.output.${name}.hint`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <NotInstalled name={draft.output} connectors={connectors} />
    </FixedFields>
  )
}
