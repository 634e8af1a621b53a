/** The schedules that harvests share, in words and with their next runs. */
import { Text } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import type { HarvestScheduleRow } from '../../../src-main/contract/services/harvestSchedules.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { useRowSelection } from '../../parts/rowSelection.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useRemoval } from '../../parts/useRemoval.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { useLocalTime } from '../schedule/localTimes.ts'
import { HarvestScheduleDialog } from './HarvestScheduleDialog.tsx'

export function HarvestSchedules() {
  const t = useWords()
  const { services } = useSession()
  const [schedules, reload] = useLoaded(useCallback(() => services.harvestSchedules.list({}), [services]))
  useChanges(services.harvestSchedules.changed, reload)
  const [edited, setEdited] = useState<HarvestScheduleRow | 'new' | null>(null)
  const selection = useRowSelection(nameOf, ({ name }) => t('timings.select', { name }))
  const columns = useColumns(setEdited)
  const remove = useRemoval()
  const { keys } = selection

  async function removeSelected(): Promise<void> {
    const each = [...keys].map((name) => ({ name, remove: () => services.harvestSchedules.remove({ name }) }))
    const count = each.length
    const removed = await remove({ title: t('timings.remove.title', { count }), text: t('timings.remove.text'), each })
    if (removed > 0) selection.clear()
  }

  return (
    <>
      <Text maw="75ch" mb="md">
        {t('timings.text')}
      </Text>
      <Await of={schedules} onRetry={reload}>
        {(rows) => (
          <Table
            label={t('timings.title')}
            rows={rows}
            columns={columns}
            rowKey={nameOf}
            selection={selection}
            heightMax="calc(100vh - 320px)"
            aside={
              <>
                <ActionButton
                  needs="harvestSchedules.add"
                  size="xs"
                  leftSection={<Plus size={14} aria-hidden />}
                  onClick={() => setEdited('new')}
                >
                  {t('timings.add')}
                </ActionButton>
                <ActionButton
                  needs="harvestSchedules.remove"
                  size="xs"
                  variant="default"
                  leftSection={<Trash2 size={14} aria-hidden />}
                  why={keys.size === 0 ? t('timings.remove.why') : null}
                  onClick={() => void removeSelected()}
                >
                  {t('remove.action')}
                </ActionButton>
              </>
            }
          />
        )}
      </Await>
      <HarvestScheduleDialog schedule={edited} onClose={() => setEdited(null)} />
    </>
  )
}

function nameOf({ name }: HarvestScheduleRow): string {
  return name
}

function useColumns(onEdit: (row: HarvestScheduleRow) => void): Column<HarvestScheduleRow>[] {
  const t = useWords()
  const localTime = useLocalTime({ withZone: true })
  return useMemo(
    (): Column<HarvestScheduleRow>[] => [
      { id: 'name', head: t('timings.name'), value: nameOf, width: 220 },
      { id: 'words', head: t('timings.words'), value: ({ words }) => t(words), wraps: true },
      {
        id: 'next',
        head: t('timings.next'),
        value: ({ next }) => next[0] ?? null,
        cell: ({ next: [first] }) => (first ? <time dateTime={first}>{localTime(first)}</time> : t('timings.over')),
        width: 250,
      },
      {
        id: 'harvests',
        head: t('timings.harvests'),
        value: ({ harvests: { names, total } }) =>
          total > names.length ? t('timings.more', { names: names.join(', '), more: total - names.length }) : names.join(', '), // prettier-ignore
        wraps: true,
      },
      { id: 'comments', head: t('harvests.comments'), value: ({ comments }) => comments },
      {
        id: 'actions',
        head: t('schedule.actions'),
        value: () => null,
        cell: (row) =>
          row.isBuiltIn ? (
            <span className="dimmed">{t('timings.builtIn')}</span>
          ) : (
            <ActionButton
              needs="harvestSchedules.edit"
              size="compact-sm"
              variant="default"
              aria-label={t('timings.edit', { name: row.name })}
              onClick={() => onEdit(row)}
            >
              {t('schedule.change')}
            </ActionButton>
          ),
        width: 100,
      },
    ],
    [t, localTime, onEdit],
  )
}
