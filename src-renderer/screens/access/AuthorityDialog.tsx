/** Adds or changes a connection of the authority service. */
import { NumberInput, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import type { AuthorityConnectionRow, AuthorityKind } from '../../../src-main/contract/services/authorities.ts'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import type { AuthorityParts } from './authorityParts.ts'
import {
  authorityDraftOf,
  authorityInput,
  authorityProblems,
  limitNames,
  newAuthority,
  type AuthorityDraft,
} from './authorityDraft.ts'
import { connectorFields } from './connectorFields.ts'
import { connectorTitle } from './connectorTitle.ts'

interface AuthorityDialogProps {
  kind: AuthorityKind
  /** The connection that is changed; 'new' for another one; null while the dialog is closed. */
  edited: AuthorityConnectionRow | 'new' | null
  parts: AuthorityParts
  onClose: () => void
  onSaved: (name: string) => void
}

export function AuthorityDialog({ edited, onClose, ...rest }: AuthorityDialogProps) {
  const t = useWords()
  const { kind } = rest
  const title =
    edited === 'new' ? t(`authorities.${kind}.add`) : edited && t(`authorities.${kind}.edit`, { name: edited.name })
  return (
    <FormDialog opened={edited !== null} onClose={onClose} size={760} title={title}>
      {edited && <Form {...rest} edited={edited === 'new' ? null : edited} onClose={onClose} />}
    </FormDialog>
  )
}

interface FormProps extends Omit<AuthorityDialogProps, 'edited'> {
  edited: AuthorityConnectionRow | null
}

/** What the parts of the form get. */
interface FieldsProps extends Pick<FormProps, 'kind' | 'parts'> {
  draft: AuthorityDraft
  change: (changes: Partial<AuthorityDraft>) => void
  control: (field: string) => { 'data-field': string; error?: string }
}

function Form({ kind, edited, parts, onClose, onSaved }: FormProps) {
  const t = useWords()
  const { services } = useSession()
  const { draft, change, form, control, refusal, isSending } = useDialogForm<AuthorityDraft, string>({
    opened: edited ? authorityDraftOf(edited) : newAuthority(kind, parts.groups[0]?.name ?? ''),
    problemsOf: (typed) => authorityProblems(t, kind, typed),
    save: async (typed) => {
      await saved(services, kind, edited, typed)
      onSaved(typed.name.trim())
    },
    onSaved: onClose,
  })
  const fields = { kind, parts, draft, change, control }
  return (
    <form {...form} aria-label={t(`authorities.${kind}.title`)}>
      <Stack>
        <TextInput
          {...control('name')}
          label={t('access.name')}
          required
          disabled={edited !== null}
          {...(edited === null && { 'data-autofocus': true })}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Textarea
          {...control('description')}
          label={t('access.description')}
          autosize
          value={draft.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        <ConnectorSettings {...fields} />
        <Places {...fields} own={edited?.name ?? null} />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          {limitNames.map((name) => (
            <NumberInput
              key={name}
              {...control(name)}
              label={t(`authorities.${name}`)}
              description={t(`authorities.${name}.hint`)}
              required
              hideControls
              value={draft[name]}
              onChange={(value) => change({ [name]: value })}
            />
          ))}
        </SimpleGrid>
        <FormEnd refusal={refusal} verb={t('access.save')} why={isSending ? t('access.saving') : null} />
      </Stack>
    </form>
  )
}

function saved(
  { authorities }: Loupe,
  kind: AuthorityKind,
  edited: AuthorityConnectionRow | null,
  draft: AuthorityDraft,
) {
  const input = authorityInput(kind, draft)
  if (edited === null) return authorities.add(input)
  const { kind: _, name, mapping = null, ...change } = input
  return authorities.edit({ kind, name, change: { ...change, mapping } })
}

/** The connector and its settings. */
function ConnectorSettings({ kind, parts, draft, change, control }: FieldsProps) {
  const t = useWords()
  const offered = parts.connectors.filter((row) => row.kind === kind)
  const chosen = offered.find(({ name }) => name === draft.connector)
  const fields = connectorFields(draft.connector)
  return (
    <Stack role="group" aria-label={t('authorities.settings')}>
      <Select
        {...control('connector')}
        label={t('authorities.connector')}
        {...(chosen && { description: t(chosen.description) })}
        required
        allowDeselect={false}
        data={offered.map(({ name }) => ({ value: name, label: connectorTitle(t, name) }))}
        value={draft.connector}
        onChange={(connector) => connector !== null && change({ connector })}
      />
      {fields?.map(({ name, isRequired }) => (
        <TextInput
          key={name}
          {...control(name)}
          label={t(`authorities.setting.${name}`)}
          description={t(`authorities.setting.${name}.hint`)}
          required={isRequired}
          value={draft.settings[name] ?? ''}
          onChange={(event) => change({ settings: { ...draft.settings, [name]: event.currentTarget.value } })}
        />
      ))}
      {!fields && (
        <Textarea
          {...control('settings')}
          label={t('authorities.settings')}
          description={t('authorities.settings.hint')}
          autosize
          minRows={3}
          value={draft.lines}
          onChange={(event) => change({ lines: event.currentTarget.value })}
        />
      )}
    </Stack>
  )
}

/** Group and domain of an authority, and the mapping that comes before a connection. `own`: its name, which it cannot come before. */
function Places({ kind, parts, draft, change, control, own }: FieldsProps & { own: string | null }) {
  const t = useWords()
  const mappings = parts.connections.filter(
    (row) => row.kind === 'mapping' && !(kind === 'mapping' && row.name === own),
  )
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      {kind === 'authority' && (
        <>
          <Select
            {...control('group')}
            label={t('authorities.group')}
            description={t('authorities.group.hint')}
            required
            allowDeselect={false}
            data={parts.groups.map(({ name }) => name)}
            value={draft.group || null}
            onChange={(group) => group !== null && change({ group })}
          />
          <Select
            {...control('domain')}
            label={t('authorities.domain')}
            description={t('authorities.domain.hint')}
            allowDeselect={false}
            data={parts.domains.map(({ name }) => ({ value: name, label: name || t('access.default') }))}
            value={draft.domain}
            onChange={(domain) => domain !== null && change({ domain })}
          />
        </>
      )}
      <Select
        {...control('mapping')}
        label={t('authorities.mapping')}
        description={t('authorities.mapping.hint')}
        allowDeselect={false}
        data={[
          { value: '', label: t('authorities.mapping.none') },
          ...mappings.map(({ name }) => ({ value: name, label: name })),
        ]}
        value={draft.mapping}
        onChange={(mapping) => mapping !== null && change({ mapping })}
      />
    </SimpleGrid>
  )
}
