/** What a harvest takes, and what becomes of it: two parts of the harvest form, at its beginning and near its end. */
import { Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core'
import { outputNames, repositoryNames } from '../../../src-main/contract/choices.ts'
import { useWords } from '../../words/words.tsx'
import { complaintWords } from './complaintWords.ts'
import type { ConnectorDraft } from './connectorDraft.ts'
import type { Complaint } from './harvestDraft.ts'

interface PartProps {
  draft: ConnectorDraft
  onChange: (draft: ConnectorDraft) => void
}

export function RepositoryChoice({ draft, onChange }: PartProps) {
  const say = useWords()
  return (
    <Radio.Group
      name="connector"
      label={say('form.connector')}
      description={say(`form.connector.${draft.repository}.hint`)}
      value={draft.repository}
      onChange={(value) =>
        onChange({ ...draft, repository: repositoryNames.find((name) => name === value) ?? draft.repository })
      }
    >
      <Group gap="lg" mt={6}>
        {repositoryNames.map((name) => (
          <Radio key={name} value={name} label={say(`form.connector.${name}`)} />
        ))}
      </Group>
    </Radio.Group>
  )
}

/** What the kind that is chosen can be told. */
export function RepositorySettings({ draft, onChange, complaint }: PartProps & { complaint: Complaint | undefined }) {
  const say = useWords()
  switch (draft.repository) {
    case 'web':
      return null
    case 'sitemap':
      return (
        <TextInput
          name="connectors"
          label={say('form.changedSince')}
          description={say('form.changedSince.hint')}
          value={draft.changedSince}
          onChange={(event) => onChange({ ...draft, changedSince: event.currentTarget.value })}
          {...(complaint ? { error: complaintWords(say, complaint) } : {})}
        />
      )
    case 'feed':
      return (
        <Checkbox
          label={say('form.olderParts')}
          checked={draft.olderParts}
          onChange={(event) => onChange({ ...draft, olderParts: event.currentTarget.checked })}
        />
      )
    case 'folder':
      return (
        <Checkbox
          label={say('form.hidden')}
          checked={draft.hidden}
          onChange={(event) => onChange({ ...draft, hidden: event.currentTarget.checked })}
        />
      )
  }
}

export function OutputChoice({ draft, onChange }: PartProps) {
  const say = useWords()
  return (
    <Radio.Group
      name="output"
      label={say('form.output')}
      value={draft.output}
      onChange={(value) => onChange({ ...draft, output: outputNames.find((name) => name === value) ?? draft.output })}
    >
      <Stack gap={6} mt={6}>
        {outputNames.map((name) => (
          <Radio
            key={name}
            value={name}
            label={say(`form.output.${name}`)}
            description={say(`form.output.${name}.hint`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
