/** Lists of crawler traps for all domains. */
import { Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { Download, Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { TrapList } from '../../../src-main/contract/services/domains.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { saveText } from '../../parts/csv.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { useFormats } from '../../parts/formats.ts'
import { IconAction } from '../../parts/IconAction.tsx'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { TextFileButton } from '../../parts/TextFileButton.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useRemoval } from '../../parts/useRemoval.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { RowActions } from '../../parts/RowActions.tsx'
import { textsIn } from '../harvest/typedLines.ts'

const newList: TrapList = { name: '', comments: '', isActive: true, patterns: [] }

export function TrapLists() {
  const t = useWords()
  const { services } = useSession()
  const [lists, reload] = useLoaded(useCallback(() => services.crawlerTraps.list({}), [services]))
  const [edited, setEdited] = useState<TrapList | null>(null)
  const columns = useColumns(setEdited, reload)
  return (
    <Section
      title={t('traps.title')}
      actions={
        <>
          <ActionButton
            needs="crawlerTraps.set"
            size="xs"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => setEdited(newList)}
          >
            {t('traps.add')}
          </ActionButton>
          <TextFileButton
            size="xs"
            accept=".txt,text/plain"
            onText={(text, name) => setEdited({ ...newList, name, patterns: textsIn(text) })}
          >
            {t('traps.import')}
          </TextFileButton>
        </>
      }
    >
      <Text maw="75ch" mb="sm" size="sm" c="dimmed">
        {t('traps.text')}
      </Text>
      <Await of={lists} onRetry={reload}>
        {(rows) => (
          <Table
            label={t('traps.title')}
            rows={rows}
            columns={columns}
            rowKey={({ name }) => name}
            heightMax={320}
            empty={<EmptyState title={t('traps.none')} text={t('traps.none.text')} />}
          />
        )}
      </Await>
      <FormDialog
        opened={edited !== null}
        onClose={() => setEdited(null)}
        size={700}
        title={edited && edited.name !== '' ? t('traps.edit', { name: edited.name }) : t('traps.add')}
      >
        {edited && (
          <TrapForm
            list={edited}
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

function useColumns(onEdit: (list: TrapList) => void, onChanged: () => void): Column<TrapList>[] {
  const t = useWords()
  const { services } = useSession()
  const { count } = useFormats()
  const remove = useRemoval()
  const removeOne = async (name: string) => {
    const each = [{ name, remove: () => services.crawlerTraps.remove({ name }) }]
    if ((await remove({ title: t('traps.remove', { name }), text: t('traps.remove.text'), each })) > 0) onChanged()
  }
  return [
    { id: 'name', head: t('timings.name'), value: ({ name }) => name, width: 240 },
    {
      ...{ id: 'state', head: t('generated.status'), width: 120 },
      value: ({ isActive }) => t(isActive ? 'traps.active' : 'traps.inactive'),
      cell: ({ isActive }) => (
        <ToneBadge tone={isActive ? 'done' : 'idle'} text={t(isActive ? 'traps.active' : 'traps.inactive')} />
      ),
    },
    {
      ...{ id: 'patterns', head: t('traps.patterns'), numeric: true, width: 100 },
      value: ({ patterns }) => patterns.length,
      cell: ({ patterns }) => count(patterns.length),
    },
    { id: 'comments', head: t('harvests.comments'), value: ({ comments }) => comments },
    {
      ...{ id: 'actions', head: t('schedule.actions'), value: () => null, width: 190 },
      cell: (list) => (
        <RowActions
          edit={t('traps.edit', { name: list.name })}
          remove={t('traps.remove', { name: list.name })}
          needs={{ edit: 'crawlerTraps.set', remove: 'crawlerTraps.remove' }}
          onEdit={() => onEdit(list)}
          onRemove={() => void removeOne(list.name)}
        >
          <IconAction
            name={t('traps.export', { name: list.name })}
            icon={Download}
            onClick={() => saveText(`${list.name}.txt`, `${list.patterns.join('\n')}\n`, 'text/plain')}
          />
        </RowActions>
      ),
    },
  ]
}

function TrapForm({ list, onSaved }: { list: TrapList; onSaved: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: { ...list, patterns: list.patterns.join('\n') },
    problemsOf: ({ name, patterns }) => ({
      name: name.trim() === '' ? t('form.needed') : null,
      patterns: textsIn(patterns).length === 0 ? t('form.needed') : null,
    }),
    save: ({ name, patterns, ...rest }) =>
      services.crawlerTraps.set({ ...rest, name: name.trim(), patterns: textsIn(patterns) }),
    onSaved,
  })
  return (
    <form {...form} aria-label={t('traps.one')}>
      <Stack>
        <TextInput
          {...control('name')}
          label={t('timings.name')}
          description={t('traps.name.hint')}
          required
          data-autofocus
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Textarea
          {...control('patterns')}
          label={t('traps.patterns')}
          description={t('traps.patterns.hint')}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          autosize
          minRows={5}
          maxRows={18}
          value={draft.patterns}
          onChange={(event) => change({ patterns: event.currentTarget.value })}
        />
        <Switch
          label={t('traps.active')}
          checked={draft.isActive}
          onChange={(event) => change({ isActive: event.currentTarget.checked })}
        />
        <Textarea
          label={t('harvests.comments')}
          autosize
          minRows={2}
          value={draft.comments}
          onChange={(event) => change({ comments: event.currentTarget.value })}
        />
        <FormEnd refusal={refusal} verb={t('timings.save')} why={isSending ? t('schedule.saving') : null} />
      </Stack>
    </form>
  )
}
