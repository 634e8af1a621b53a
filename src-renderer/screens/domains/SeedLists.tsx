/** The seed lists of a domain. */
import { Stack, Textarea, TextInput } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { DomainDetails, SeedList } from '../../../src-main/contract/services/domains.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { TextFileButton } from '../../parts/TextFileButton.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useRemoval } from '../../parts/useRemoval.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { textsIn } from '../harvest/typedLines.ts'
import { RowActions } from '../../parts/RowActions.tsx'

interface SeedListsProps {
  details: DomainDetails
  onChanged: () => void
}

const newList: SeedList = { name: '', seeds: '', comments: '' }

export function SeedLists({ details, onChanged }: SeedListsProps) {
  const t = useWords()
  const [edited, setEdited] = useState<SeedList | null>(null)
  const columns = useColumns(details, setEdited, onChanged)
  return (
    <Section
      title={t('domains.seedLists')}
      actions={
        <ActionButton
          needs="domains.setSeedList"
          size="xs"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setEdited(newList)}
        >
          {t('domains.seedList.add')}
        </ActionButton>
      }
    >
      <Table
        label={t('domains.seedLists')}
        rows={details.seedLists}
        columns={columns}
        rowKey={({ name }) => name}
        tools={details.seedLists.length > 5}
        heightMax={320}
      />
      <FormDialog
        opened={edited !== null}
        onClose={() => setEdited(null)}
        size={700}
        title={edited?.name ? t('domains.seedList.edit', { name: edited.name }) : t('domains.seedList.add')}
      >
        {edited && (
          <SeedListForm
            details={details}
            list={edited}
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

/** Seeds that a row shows. */
const seedsShownMax = 3

function seedsOf({ seeds }: SeedList): string[] {
  return textsIn(seeds).filter((line) => !line.startsWith('#'))
}

function useColumns(
  { domain }: DomainDetails,
  onEdit: (list: SeedList) => void,
  onChanged: () => void,
): Column<SeedList>[] {
  const t = useWords()
  const { services } = useSession()
  const { count } = useFormats()
  const remove = useRemoval()
  const removeOne = async (name: string) => {
    const each = [{ name, remove: () => services.domains.removeSeedList({ domain, name }) }]
    const text = t('domains.seedList.remove.text')
    if ((await remove({ title: t('domains.seedList.remove', { name }), text, each })) > 0) onChanged()
  }
  return [
    { id: 'name', head: t('timings.name'), value: ({ name }) => name, width: 220 },
    {
      ...{ id: 'count', head: t('domains.seeds'), numeric: true, width: 90 },
      value: (list) => seedsOf(list).length,
      cell: (list) => count(seedsOf(list).length),
    },
    {
      ...{ id: 'seeds', head: t('domains.seeds.first') },
      value: (list) => seedsOf(list).slice(0, seedsShownMax).join(', '),
    },
    { id: 'comments', head: t('harvests.comments'), value: ({ comments }) => comments },
    {
      ...{ id: 'actions', head: t('schedule.actions'), value: () => null, width: 150 },
      cell: (list) => (
        <RowActions
          edit={t('domains.seedList.edit', { name: list.name })}
          remove={t('domains.seedList.remove', { name: list.name })}
          needs={{ edit: 'domains.setSeedList', remove: 'domains.removeSeedList' }}
          onEdit={() => onEdit(list)}
          onRemove={() => void removeOne(list.name)}
        />
      ),
    },
  ]
}

interface SeedListFormProps {
  details: DomainDetails
  list: SeedList
  onSaved: () => void
}

function SeedListForm({ details: { domain, seedLists }, list, onSaved }: SeedListFormProps) {
  const t = useWords()
  const { services } = useSession()
  const isNew = list.name === ''
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: list,
    problemsOf: ({ name }) => ({
      name: name.trim() === '' ? t('form.needed') : isNew && seedLists.some((each) => each.name === name.trim()) ? t('domains.seedList.exists') : null, // prettier-ignore
      seeds: null,
    }),
    save: (typed) => services.domains.setSeedList({ domain, seedList: { ...typed, name: typed.name.trim() } }),
    onSaved,
  })
  return (
    <form {...form} aria-label={t('domains.seedList')}>
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
        <Textarea
          {...control('seeds')}
          label={t('domains.seeds')}
          description={t('domains.seeds.hint')}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          autosize
          minRows={5}
          maxRows={18}
          value={draft.seeds}
          onChange={(event) => change({ seeds: event.currentTarget.value })}
        />
        <TextFileButton accept=".txt,.csv,text/plain" onText={(seeds) => change({ seeds })}>
          {t('domains.fromFile')}
        </TextFileButton>
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
