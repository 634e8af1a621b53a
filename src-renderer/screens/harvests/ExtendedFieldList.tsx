/** Further fields that an institution defines for domains, configurations and harvests. */
import { Select, SimpleGrid, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { fieldKinds, fieldSubjects, type ExtendedField } from '../../../src-main/contract/services/domains.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useRemoval } from '../../parts/useRemoval.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { RowActions } from '../../parts/RowActions.tsx'

const newField: ExtendedField = {
  subject: 'domain',
  name: '',
  kind: 'text',
  choices: [],
  usual: null,
  isRequired: false,
}

export function ExtendedFieldList() {
  const t = useWords()
  const { services } = useSession()
  const [fields, reload] = useLoaded(useCallback(() => services.extendedFields.list({}), [services]))
  const [edited, setEdited] = useState<ExtendedField | null>(null)
  const columns = useColumns(setEdited, reload)
  return (
    <Section
      title={t('fields.title')}
      actions={
        <ActionButton
          needs="extendedFields.set"
          size="xs"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setEdited(newField)}
        >
          {t('fields.add')}
        </ActionButton>
      }
    >
      <Text maw="75ch" mb="sm" size="sm" c="dimmed">
        {t('fields.text')}
      </Text>
      <Await of={fields} onRetry={reload}>
        {(rows) => (
          <Table
            label={t('fields.title')}
            rows={rows}
            columns={columns}
            rowKey={({ subject, name }) => `${subject}/${name}`}
            heightMax={320}
            empty={<EmptyState title={t('fields.empty')} text={t('fields.empty.text')} />}
          />
        )}
      </Await>
      <FormDialog
        opened={edited !== null}
        onClose={() => setEdited(null)}
        size={560}
        title={edited && edited.name !== '' ? t('fields.edit', { name: edited.name }) : t('fields.add')}
      >
        {edited && (
          <FieldForm
            field={edited}
            onSaved={() => {
              setEdited(null)
              reload()
            }}
          />
        )}
      </FormDialog>
    </Section>
  )
}

function useColumns(onEdit: (field: ExtendedField) => void, onChanged: () => void): Column<ExtendedField>[] {
  const t = useWords()
  const { services } = useSession()
  const remove = useRemoval()
  const removeOne = async ({ subject, name }: ExtendedField) => {
    const each = [{ name, remove: () => services.extendedFields.remove({ subject, name }) }]
    if ((await remove({ title: t('fields.remove', { name }), text: t('fields.remove.text'), each })) > 0) onChanged()
  }
  return [
    { id: 'name', head: t('timings.name'), value: ({ name }) => name },
    { id: 'subject', head: t('fields.subject'), value: ({ subject }) => t(`fields.subject.${subject}`), width: 150 },
    { id: 'kind', head: t('harvests.kind'), value: ({ kind }) => t(`fields.kind.${kind}`), width: 140 },
    { id: 'choices', head: t('fields.choices'), value: ({ choices }) => choices.join(', ') },
    {
      ...{ id: 'usual', head: t('fields.usual'), width: 150 },
      value: ({ usual }) => (usual === null ? null : String(usual)),
    },
    {
      ...{ id: 'required', head: t('fields.required'), width: 100 },
      value: ({ isRequired }) => (isRequired ? t('table.selected.yes') : ''),
    },
    {
      ...{ id: 'actions', head: t('schedule.actions'), value: () => null, width: 150 },
      cell: (field) => (
        <RowActions
          edit={t('fields.edit', { name: field.name })}
          remove={t('fields.remove', { name: field.name })}
          needs={{ edit: 'extendedFields.set', remove: 'extendedFields.remove' }}
          onEdit={() => onEdit(field)}
          onRemove={() => void removeOne(field)}
        />
      ),
    },
  ]
}

function FieldForm({ field, onSaved }: { field: ExtendedField; onSaved: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const isNew = field.name === ''
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: { ...field, usual: field.usual === null ? '' : String(field.usual) },
    problemsOf: ({ name, kind, choices }) => ({
      ...{ subject: null, kind: null, usual: null },
      name: name.trim() === '' ? t('form.needed') : null,
      choices: kind === 'choice' && choices.length === 0 ? t('form.needed') : null,
    }),
    save: (typed) =>
      services.extendedFields.set({
        ...typed,
        name: typed.name.trim(),
        choices: typed.kind === 'choice' ? typed.choices : [],
        usual: usualOf(typed),
      }),
    onSaved,
  })
  return (
    <form {...form} aria-label={t('fields.one')}>
      <Stack>
        <TextInput
          {...control('name')}
          label={t('timings.name')}
          required
          data-autofocus
          disabled={!isNew}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <Select
            {...control('subject')}
            label={t('fields.subject')}
            disabled={!isNew}
            allowDeselect={false}
            data={fieldSubjects.map((subject) => ({ value: subject, label: t(`fields.subject.${subject}`) }))}
            value={draft.subject}
            onChange={(value) => change({ subject: fieldSubjects.find((each) => each === value) ?? draft.subject })}
          />
          <Select
            {...control('kind')}
            label={t('harvests.kind')}
            allowDeselect={false}
            data={fieldKinds.map((kind) => ({ value: kind, label: t(`fields.kind.${kind}`) }))}
            value={draft.kind}
            onChange={(value) => change({ kind: fieldKinds.find((each) => each === value) ?? draft.kind })}
          />
        </SimpleGrid>
        {draft.kind === 'choice' && (
          <TagsInput
            {...control('choices')}
            label={t('fields.choices')}
            description={t('fields.choices.hint')}
            value={draft.choices}
            onChange={(choices) => change({ choices })}
          />
        )}
        <TextInput
          {...control('usual')}
          label={t('fields.usual')}
          description={t('fields.usual.hint')}
          value={draft.usual}
          onChange={(event) => change({ usual: event.currentTarget.value })}
        />
        <Switch
          label={t('fields.required')}
          checked={draft.isRequired}
          onChange={(event) => change({ isRequired: event.currentTarget.checked })}
        />
        <FormEnd refusal={refusal} verb={t('timings.save')} why={isSending ? t('schedule.saving') : null} />
      </Stack>
    </form>
  )
}

function usualOf({ kind, usual }: { kind: ExtendedField['kind']; usual: string }): ExtendedField['usual'] {
  if (usual.trim() === '') return null
  if (kind === 'number' && !Number.isNaN(Number(usual))) return Number(usual)
  return kind === 'boolean' ? usual.trim().toLowerCase() === 'true' : usual
}
