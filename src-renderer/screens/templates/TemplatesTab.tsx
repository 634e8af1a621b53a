/** Templates: crawl settings under a name, which the configurations of domains use. */
import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Plus, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { TemplateRow } from '../../../src-main/contract/services/templates.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FilteredPages } from '../../parts/FilteredPages.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { useRowSelection } from '../../parts/rowSelection.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { TextFileButton } from '../../parts/TextFileButton.tsx'
import { typingPauseMs } from '../../parts/typing.ts'
import { useChanges } from '../../parts/useChanges.ts'
import { useRemoval } from '../../parts/useRemoval.ts'
import { hrefOf } from '../../routes/routes.ts'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { TemplateDialog, type TemplateDraft } from './TemplateDialog.tsx'

export function TemplatesTab() {
  const t = useWords()
  const { services } = useSession()
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text.trim(), typingPauseMs)
  const [added, setAdded] = useState<TemplateDraft | null>(null)
  const fetchPage = useCallback(
    (page: { offset: number; limit: number }) =>
      services.templates.list({ ...page, ...(settled && { text: settled }) }),
    [services, settled],
  )
  const pages = useMemo(() => makePages(fetchPage), [fetchPage])
  useEffect(() => pages.getState().refresh(), [pages])
  useChanges(services.templates.changed, () => pages.getState().refresh())
  const selection = useRowSelection(nameOf, ({ name }) => t('templates.select', { name }))
  const remove = useRemoval()
  const { keys } = selection

  async function removeSelected(): Promise<void> {
    const each = [...keys].map((name) => ({ name, remove: () => services.templates.remove({ name }) }))
    const count = each.length
    const removed = await remove({
      title: t('templates.remove.title', { count }),
      text: t('templates.remove.text'),
      each,
    })
    if (removed > 0) selection.clear()
  }

  return (
    <>
      <Text maw="75ch" mb="md">
        {t('templates.text')}
      </Text>
      <FilteredPages
        label={t('templates.title')}
        columns={useColumns()}
        pages={pages}
        fetchPage={fetchPage}
        text={{ value: text, label: t('templates.filter'), onChange: setText }}
        selection={selection}
        empty={<EmptyState title={t('templates.none')} text={t('templates.none.text')} />}
        aside={
          <>
            <ActionButton
              needs="templates.add"
              size="xs"
              leftSection={<Plus size={14} aria-hidden />}
              onClick={() => setAdded({ name: '', comments: '', toml: '' })}
            >
              {t('templates.add')}
            </ActionButton>
            <TextFileButton
              needs="templates.add"
              size="xs"
              accept=".toml,text/plain"
              onText={(toml, name) => setAdded({ name, comments: '', toml })}
            >
              {t('templates.fromFile')}
            </TextFileButton>
          </>
        }
        actions={
          <ActionButton
            needs="templates.remove"
            size="xs"
            variant="default"
            leftSection={<Trash2 size={14} aria-hidden />}
            why={keys.size === 0 ? t('templates.remove.why') : null}
            onClick={() => void removeSelected()}
          >
            {t('remove.action')}
          </ActionButton>
        }
      />
      <TemplateDialog template={added} onClose={() => setAdded(null)} />
    </>
  )
}

function nameOf({ name }: TemplateRow): string {
  return name
}

function useColumns(): Column<TemplateRow>[] {
  const t = useWords()
  const { count } = useFormats()
  return useMemo(
    (): Column<TemplateRow>[] => [
      {
        id: 'name',
        head: t('timings.name'),
        value: nameOf,
        cell: ({ name }) => <a href={hrefOf({ place: 'template', template: name })}>{name}</a>,
      },
      { id: 'comments', head: t('harvests.comments'), value: ({ comments }) => comments },
      { id: 'version', head: t('templates.version'), value: ({ version }) => version, numeric: true, width: 90 },
      {
        id: 'changed',
        head: t('templates.changed'),
        value: ({ changed }) => changed,
        cell: ({ changed }) => (changed === null ? t('templates.builtIn') : timeUtc(changed)),
        width: 190,
      },
      {
        id: 'configurations',
        head: t('generated.configurations'),
        value: ({ configurations }) => configurations,
        cell: ({ configurations }) => count(configurations),
        numeric: true,
        width: 134,
      },
    ],
    [t, count],
  )
}
