/** The domains of an institution: 100,000 of them scroll and filter without a pause, because the engine returns them in pages. */
import { Checkbox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { CalendarPlus, Plus, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ConfigurationName } from '../../../src-main/contract/services/harvestDefinitions.ts'
import type { DomainRow } from '../../../src-main/contract/services/domains.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FilteredPages } from '../../parts/FilteredPages.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { useRowSelection } from '../../parts/rowSelection.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { typingPauseMs } from '../../parts/typing.ts'
import { useChanges } from '../../parts/useChanges.ts'
import { useRemoval } from '../../parts/useRemoval.ts'
import { hrefOf } from '../../routes/routes.ts'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { AddDomainsDialog } from './AddDomainsDialog.tsx'
import { AddToHarvestDialog } from './AddToHarvestDialog.tsx'

export function DomainsTab() {
  const t = useWords()
  const { services } = useSession()
  const [text, setText] = useState('')
  const [aliases, setAliases] = useState(false)
  const [open, setOpen] = useState<'domains' | 'harvest' | null>(null)
  const [settled] = useDebouncedValue(text.trim().toLowerCase(), typingPauseMs)
  const fetchPage = useCallback(
    (page: { offset: number; limit: number }) =>
      services.domains.list({ ...page, ...(settled && { text: settled }), ...(aliases && { aliases }) }),
    [services, settled, aliases],
  )
  const pages = useMemo(() => makePages(fetchPage), [fetchPage])
  useEffect(() => pages.getState().refresh(), [pages])
  useChanges(services.domains.changed, () => pages.getState().refresh())
  const selection = useRowSelection(configurationOf, ({ domain }) => t('domains.select', { domain }))
  const remove = useRemoval()
  const { keys } = selection
  const none = keys.size === 0 ? t('domains.none.selected') : null

  async function removeSelected(): Promise<void> {
    const each = configurationsOf(keys).map(({ domain }) => ({
      ...{ name: domain, remove: () => services.domains.remove({ domain }) },
    }))
    const count = each.length
    const removed = await remove({ title: t('domains.remove.title', { count }), text: t('domains.remove.text'), each })
    if (removed > 0) selection.clear()
  }

  return (
    <>
      <FilteredPages
        label={t('domains.title')}
        columns={useColumns()}
        pages={pages}
        fetchPage={fetchPage}
        text={{ value: text, label: t('domains.filter'), onChange: setText }}
        selection={selection}
        empty={<EmptyState title={t('domains.none')} text={t('domains.none.text')} />}
        aside={
          <>
            <Checkbox
              label={t('domains.aliases')}
              checked={aliases}
              onChange={(event) => setAliases(event.currentTarget.checked)}
            />
            <ActionButton
              needs="domains.addList"
              size="xs"
              leftSection={<Plus size={14} aria-hidden />}
              onClick={() => setOpen('domains')}
            >
              {t('domains.add')}
            </ActionButton>
          </>
        }
        actions={
          <>
            <ActionButton
              needs="harvestDefinitions.edit"
              size="xs"
              variant="default"
              leftSection={<CalendarPlus size={14} aria-hidden />}
              why={none}
              onClick={() => setOpen('harvest')}
            >
              {t('domains.toHarvest')}
            </ActionButton>
            <ActionButton
              needs="domains.remove"
              size="xs"
              variant="default"
              leftSection={<Trash2 size={14} aria-hidden />}
              why={none}
              onClick={() => void removeSelected()}
            >
              {t('remove.action')}
            </ActionButton>
          </>
        }
      />
      <AddDomainsDialog opened={open === 'domains'} onClose={() => setOpen(null)} />
      <AddToHarvestDialog
        configurations={open === 'harvest' ? configurationsOf(keys) : null}
        onClose={() => setOpen(null)}
        onDone={selection.clear}
      />
    </>
  )
}

function nameOf({ domain }: DomainRow): string {
  return domain
}

/** Identifies a selected domain together with its default configuration: a domain has no slash. */
function configurationOf({ domain, defaultConfiguration }: DomainRow): string {
  return `${domain}/${defaultConfiguration}`
}

function configurationsOf(keys: ReadonlySet<string>): ConfigurationName[] {
  return [...keys].map((key) => {
    const slash = key.indexOf('/')
    return { domain: key.slice(0, slash), configuration: key.slice(slash + 1) }
  })
}

function useColumns(): Column<DomainRow>[] {
  const t = useWords()
  return useMemo(
    (): Column<DomainRow>[] => [
      {
        id: 'domain',
        head: t('statistics.domain'),
        value: nameOf,
        cell: ({ domain }) => <a href={hrefOf({ place: 'domain', domain })}>{domain}</a>,
      },
      {
        id: 'configurations',
        head: t('generated.configurations'),
        value: ({ configurations }) => configurations,
        numeric: true,
        width: 134,
      },
      {
        id: 'default',
        head: t('domains.defaultConfiguration'),
        value: ({ defaultConfiguration }) => defaultConfiguration,
        width: 190,
      },
      {
        id: 'alias',
        head: t('domains.aliasOf'),
        value: ({ alias }) => alias?.of ?? null,
        cell: ({ alias }) => alias && <a href={hrefOf({ place: 'domain', domain: alias.of })}>{alias.of}</a>,
        width: 200,
      },
      { id: 'comments', head: t('harvests.comments'), value: ({ comments }) => comments },
      {
        id: 'added',
        head: t('domains.added'),
        value: ({ added }) => added,
        cell: ({ added }) => timeUtc(added),
        width: 172,
      },
    ],
    [t],
  )
}
