/** The configurations of a domain: ways of harvesting it, each with a template, limits and seed lists. */
import {} from '@mantine/core'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import {
  defaultBytesMax,
  type DomainConfiguration,
  type DomainDetails,
} from '../../../src-main/contract/services/domains.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useRemoval } from '../../parts/useRemoval.ts'
import { hrefOf } from '../../routes/routes.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { ConfigurationForm } from './ConfigurationForm.tsx'
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
        <ActionButton
          needs="domains.setConfiguration"
          size="xs"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setEdited(newConfiguration(details))}
        >
          {t('domains.configuration.add')}
        </ActionButton>
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
          needs={{ edit: 'domains.setConfiguration', remove: 'domains.removeConfiguration' }}
          onEdit={() => onEdit(configuration)}
          onRemove={() => void removeOne(configuration.name)}
        />
      ),
    },
  ]
}
