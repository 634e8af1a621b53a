/** The configurations of a domain: ways of harvesting it, each with a template, limits and seed lists. */
import { Button, MultiSelect, NumberInput, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import {
  defaultBytesMax,
  type DomainConfiguration,
  type DomainDetails,
} from '../../../src-main/contract/services/domains.ts'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { useFormats } from '../../parts/formats.ts'
import { BytesInput } from '../../parts/LimitInput.tsx'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useRemoval } from '../../parts/useRemoval.ts'
import { hrefOf } from '../../routes/routes.ts'
import { allRows } from '../../state/allRows.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { FieldValueInputs, typedValues } from './FieldValueInputs.tsx'
import { RowActions } from '../../parts/RowActions.tsx'

interface ConfigurationsProps {
  details: DomainDetails
  onChanged: () => void
}

export function Configurations({ details, onChanged }: ConfigurationsProps) {
  const t = useWords()
  const [edited, setEdited] = useState<DomainConfiguration | null>(null)
  const columns = useColumns(details, setEdited, onChanged)
  return (
    <Section
      title={t('domains.configurations')}
      actions={
        <Button
          size="xs"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setEdited(newConfiguration(details))}
        >
          {t('domains.configuration.add')}
        </Button>
      }
    >
      <Table
        label={t('domains.configurations')}
        rows={details.configurations}
        columns={columns}
        rowKey={({ name }) => name}
        tools={details.configurations.length > 5}
        heightMax={320}
      />
      <FormDialog
        opened={edited !== null}
        onClose={() => setEdited(null)}
        size={700}
        title={edited?.name ? t('domains.configuration.edit', { name: edited.name }) : t('domains.configuration.add')}
      >
        {edited && (
          <ConfigurationForm
            details={details}
            configuration={edited}
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

function newConfiguration({ seedLists }: DomainDetails): DomainConfiguration {
  return {
    ...{ name: '', template: 'default', objectsMax: null, bytesMax: defaultBytesMax, loginAreas: null, fields: {} },
    ...{ comments: '', seedLists: seedLists.slice(0, 1).map(({ name }) => name) },
  }
}

function useColumns(
  { domain, defaultConfiguration }: DomainDetails,
  onEdit: (configuration: DomainConfiguration) => void,
  onChanged: () => void,
): Column<DomainConfiguration>[] {
  const t = useWords()
  const { services } = useSession()
  const { count, bytes } = useFormats()
  const remove = useRemoval()
  const removeOne = async (name: string) => {
    const each = [{ name, remove: () => services.domains.removeConfiguration({ domain, name }) }]
    const text = t('domains.configuration.remove.text')
    if ((await remove({ title: t('domains.configuration.remove', { name }), text, each })) > 0) onChanged()
  }
  return [
    {
      ...{ id: 'name', head: t('timings.name'), width: 260 },
      value: ({ name }) => (name === defaultConfiguration ? t('domains.isDefault', { name }) : name),
    },
    {
      ...{ id: 'template', head: t('generated.template'), width: 180 },
      value: ({ template }) => template,
      cell: ({ template }) => <a href={hrefOf({ place: 'template', template })}>{template}</a>,
    },
    {
      ...{ id: 'objectsMax', head: t('harvests.objectsMax'), numeric: true, width: 120 },
      value: ({ objectsMax }) => objectsMax,
      cell: ({ objectsMax }) => (objectsMax === null ? t('harvests.unlimited') : count(objectsMax)),
    },
    {
      ...{ id: 'bytesMax', head: t('harvests.bytesMax'), numeric: true, width: 120 },
      value: ({ bytesMax }) => bytesMax,
      cell: ({ bytesMax }) => (bytesMax === null ? t('harvests.unlimited') : bytes(bytesMax)),
    },
    { id: 'seedLists', head: t('domains.seedLists'), value: ({ seedLists }) => seedLists.join(', '), wraps: true },
    { id: 'comments', head: t('harvests.comments'), value: ({ comments }) => comments },
    {
      ...{ id: 'actions', head: t('schedule.actions'), value: () => null, width: 150 },
      cell: (configuration) => (
        <RowActions
          edit={t('domains.configuration.edit', { name: configuration.name })}
          remove={t('domains.configuration.remove', { name: configuration.name })}
          why={configuration.name === defaultConfiguration ? t('domains.configuration.isDefault') : null}
          onEdit={() => onEdit(configuration)}
          onRemove={() => void removeOne(configuration.name)}
        />
      ),
    },
  ]
}

interface ConfigurationFormProps {
  details: DomainDetails
  configuration: DomainConfiguration
  onSaved: () => void
}

function ConfigurationForm({ details, configuration, onSaved }: ConfigurationFormProps) {
  const t = useWords()
  const { services } = useSession()
  const templates = useTemplateNames()
  const isNew = configuration.name === ''
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: configuration,
    problemsOf: ({ name, seedLists }) => ({
      name: name.trim() === '' ? t('form.needed') : isNew && isKnown(details, name) ? t('domains.configuration.exists') : null, // prettier-ignore
      template: null,
      seedLists: seedLists.length === 0 ? t('form.needed') : null,
      objectsMax: null,
      bytesMax: null,
      fields: null,
    }),
    save: (typed) =>
      services.domains.setConfiguration({
        domain: details.domain,
        configuration: { ...typed, name: typed.name.trim(), fields: typedValues(typed.fields) },
      }),
    onSaved,
  })
  return (
    <form {...form} aria-label={t('domains.configuration')}>
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            {...control('name')}
            label={t('timings.name')}
            required
            data-autofocus
            disabled={!isNew}
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <Select
            {...control('template')}
            label={t('generated.template')}
            searchable
            allowDeselect={false}
            data={[...new Set([draft.template, ...templates])]}
            value={draft.template}
            onChange={(template) => change({ template: template ?? draft.template })}
          />
          <NumberInput
            {...control('objectsMax')}
            label={t('harvests.objectsMax')}
            placeholder={t('harvests.unlimited')}
            min={0}
            allowDecimal={false}
            hideControls
            value={draft.objectsMax ?? ''}
            onChange={(value) => change({ objectsMax: typeof value === 'number' ? value : null })}
          />
          <BytesInput
            {...control('bytesMax')}
            label={t('harvests.bytesMax')}
            placeholder={t('harvests.unlimited')}
            value={draft.bytesMax}
            onChange={(bytesMax) => change({ bytesMax })}
          />
        </SimpleGrid>
        <MultiSelect
          {...control('seedLists')}
          label={t('domains.seedLists')}
          data={details.seedLists.map(({ name }) => name)}
          value={draft.seedLists}
          onChange={(seedLists) => change({ seedLists })}
        />
        <FieldValueInputs subject="configuration" values={draft.fields} onChange={(fields) => change({ fields })} />
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

function isKnown({ configurations }: DomainDetails, name: string): boolean {
  return configurations.some((each) => each.name === name.trim())
}

/** Templates that can be chosen; more than that are found by no one in a list. */
const templatesMax = 10_000

/** Names of all templates; empty until they are loaded. */
export function useTemplateNames(): string[] {
  const { services } = useSession()
  const ask = useCallback(
    () => allRows((page) => services.templates.list(page), { perPage: 1_000, rowsMax: templatesMax }),
    [services],
  )
  const [templates] = useLoaded(ask)
  return useMemo(() => (valueOf(templates)?.rows ?? []).map(({ name }) => name), [templates])
}
