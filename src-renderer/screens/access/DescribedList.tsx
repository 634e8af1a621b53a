/** Groups or domains of the authority service: a name and a description. */
import { Stack, Text, TextInput } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { DescribedRow } from '../../../src-main/contract/services/authorities.ts'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { RowActions } from '../../parts/RowActions.tsx'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useRemoval } from '../../parts/useRemoval.ts'
import type { CallName } from '../../state/callerRoles.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type WordId } from '../../words/words.tsx'

type Described = 'groups' | 'domains'
type Input = Pick<DescribedRow, 'name' | 'description'>

interface Look {
  words: { title: WordId; text: WordId; add: WordId; edit: WordId; remove: WordId; removeText: WordId }
  needs: Record<'add' | 'edit' | 'remove', CallName>
  calls: (authorities: Loupe['authorities']) => {
    add: (input: Input) => Promise<unknown>
    edit: (input: Input) => Promise<unknown>
    remove: (named: { name: string }) => Promise<unknown>
  }
}

const looks: Record<Described, Look> = {
  groups: {
    words: {
      ...({ title: 'groups.title', text: 'groups.text', add: 'groups.add', edit: 'groups.edit' } as const),
      ...({ remove: 'groups.remove', removeText: 'groups.remove.text' } as const),
    },
    needs: { add: 'authorities.addGroup', edit: 'authorities.editGroup', remove: 'authorities.removeGroup' },
    calls: ({ addGroup, editGroup, removeGroup }) => ({ add: addGroup, edit: editGroup, remove: removeGroup }),
  },
  domains: {
    words: {
      ...({ title: 'domains.access.title', text: 'domains.access.text', add: 'domains.access.add' } as const),
      ...({ edit: 'domains.access.edit', remove: 'domains.access.remove' } as const),
      removeText: 'domains.access.remove.text',
    },
    needs: { add: 'authorities.addDomain', edit: 'authorities.editDomain', remove: 'authorities.removeDomain' },
    calls: ({ addDomain, editDomain, removeDomain }) => ({ add: addDomain, edit: editDomain, remove: removeDomain }),
  },
}

interface DescribedListProps {
  of: Described
  rows: readonly DescribedRow[]
  onChanged: () => void
}

export function DescribedList({ of, rows, onChanged }: DescribedListProps) {
  const t = useWords()
  const { words, needs } = looks[of]
  const [edited, setEdited] = useState<DescribedRow | 'new' | null>(null)
  const columns = useColumns(of, setEdited, onChanged)
  return (
    <Section
      title={t(words.title)}
      actions={
        <ActionButton
          size="xs"
          needs={needs.add}
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setEdited('new')}
        >
          {t(words.add)}
        </ActionButton>
      }
    >
      <Text maw="75ch" mb="sm" size="sm" c="dimmed">
        {t(words.text)}
      </Text>
      <Table
        label={t(words.title)}
        rows={rows}
        columns={columns}
        rowKey={({ name }) => name}
        tools={rows.length > 5}
        heightMax={320}
        empty={<EmptyState title={t('groups.empty')} text={t('groups.empty.text')} />}
      />
      <FormDialog
        opened={edited !== null}
        onClose={() => setEdited(null)}
        size={560}
        title={edited === 'new' ? t(words.add) : edited && t(words.edit, { name: edited.name })}
      >
        {edited && (
          <DescribedForm
            of={of}
            row={edited === 'new' ? null : edited}
            onSaved={() => {
              setEdited(null)
              onChanged()
            }}
          />
        )}
      </FormDialog>
    </Section>
  )
}

function useColumns(of: Described, onEdit: (row: DescribedRow) => void, onChanged: () => void): Column<DescribedRow>[] {
  const t = useWords()
  const { services } = useSession()
  const remove = useRemoval()
  const { words, needs, calls } = looks[of]
  const removeOne = async ({ name }: DescribedRow) => {
    const each = [{ name, remove: () => calls(services.authorities).remove({ name }) }]
    if ((await remove({ title: t(words.remove, { name }), text: t(words.removeText), each })) > 0) onChanged()
  }
  const rules: Column<DescribedRow> = {
    ...{ id: 'rules', head: t('groups.rules'), value: ({ rules: count }) => count, width: 90, numeric: true },
  }
  return [
    { id: 'name', head: t('access.name'), value: ({ name }) => name || t('access.default'), stays: true },
    { id: 'description', head: t('access.description'), value: ({ description }) => description, wraps: true },
    {
      ...{ id: 'authorities', head: t('groups.authorities'), width: 110, numeric: true },
      value: ({ authorities }) => authorities,
    },
    ...(of === 'groups' ? [rules] : []),
    {
      ...{ id: 'actions', head: t('access.actions'), value: () => null, width: 120 },
      // The default domain is always there.
      cell: (row) =>
        row.name === '' ? null : (
          <RowActions
            edit={t(words.edit, { name: row.name })}
            remove={t(words.remove, { name: row.name })}
            needs={needs}
            onEdit={() => onEdit(row)}
            onRemove={() => void removeOne(row)}
          />
        ),
    },
  ]
}

function DescribedForm({ of, row, onSaved }: { of: Described; row: DescribedRow | null; onSaved: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: { name: row?.name ?? '', description: row?.description ?? '' },
    problemsOf: ({ name }) => ({ name: name.trim() === '' ? t('access.needed') : null, description: null }),
    save: (typed) => {
      const { add, edit } = looks[of].calls(services.authorities)
      return row ? edit(typed) : add(typed)
    },
    onSaved,
  })
  return (
    <form {...form} aria-label={t(looks[of].words.title)}>
      <Stack>
        <TextInput
          {...control('name')}
          label={t('access.name')}
          required
          disabled={row !== null}
          {...(row === null && { 'data-autofocus': true })}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          {...control('description')}
          label={t('access.description')}
          {...(row !== null && { 'data-autofocus': true })}
          value={draft.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        <FormEnd refusal={refusal} verb={t('access.save')} why={isSending ? t('access.saving') : null} />
      </Stack>
    </form>
  )
}
