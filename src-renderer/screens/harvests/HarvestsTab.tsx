/** The harvest definitions of an institution. */
import { SegmentedControl } from '@mantine/core'
import { CirclePause, CirclePlay, Play, Plus, Trash2, type LucideIcon } from 'lucide-react'
import { useCallback, useState } from 'react'
import { harvestKinds, type HarvestRow } from '../../../src-main/contract/services/harvestDefinitions.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useRowSelection } from '../../parts/rowSelection.tsx'
import { Table } from '../../parts/Table.tsx'
import { TextFileButton } from '../../parts/TextFileButton.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useRemoval } from '../../parts/useRemoval.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { draftFrom, emptyDraft, type HarvestDefinitionDraft } from './definitionDraft.ts'
import { HarvestDefinitionDialog } from './HarvestDefinitionDialog.tsx'
import { useHarvestColumns } from './harvestColumns.tsx'
import { useHarvestActions, type HarvestAction } from './useHarvestActions.ts'

const kinds = ['all', ...harvestKinds] as const

export function HarvestsTab() {
  const t = useWords()
  const { services } = useSession()
  const [kind, setKind] = useState<(typeof kinds)[number]>('all')
  const [harvests, reload] = useLoaded(useCallback(() => services.harvestDefinitions.list({}), [services]))
  useChanges(services.harvestDefinitions.changed, reload)
  const [added, setAdded] = useState<HarvestDefinitionDraft | null>(null)
  const columns = useHarvestColumns()
  return (
    <>
      <Await of={harvests} onRetry={reload}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={t('harvests.none')} text={t('harvests.none.text')}>
              <Buttons onAdd={setAdded} />
            </EmptyState>
          ) : (
            <Rows
              rows={rows.filter((row) => kind === 'all' || row.kind === kind)}
              columns={columns}
              onRemoved={reload}
              filters={
                <>
                  <SegmentedControl
                    size="xs"
                    aria-label={t('harvests.kind')}
                    data={kinds.map((each) => ({ value: each, label: t(`harvests.kind.${each}`) }))}
                    value={kind}
                    onChange={(value) => setKind(kinds.find((each) => each === value) ?? kind)}
                  />
                  <Buttons onAdd={setAdded} />
                </>
              }
            />
          )
        }
      </Await>
      <HarvestDefinitionDialog draft={added} harvest={null} onClose={() => setAdded(null)} />
    </>
  )
}

function Buttons({ onAdd }: { onAdd: (draft: HarvestDefinitionDraft) => void }) {
  const t = useWords()
  return (
    <>
      <ActionButton
        needs="harvestDefinitions.add"
        size="xs"
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => onAdd(emptyDraft)}
      >
        {t('harvests.add')}
      </ActionButton>
      <TextFileButton
        needs="harvestDefinitions.add"
        size="xs"
        accept=".json,application/json"
        onText={(text) => onAdd(draftFrom(text))}
      >
        {t('harvests.import')}
      </TextFileButton>
    </>
  )
}

const actions: { action: HarvestAction; icon: LucideIcon }[] = [
  { action: 'activate', icon: CirclePlay },
  { action: 'deactivate', icon: CirclePause },
  { action: 'run', icon: Play },
]

interface RowsProps {
  rows: readonly HarvestRow[]
  columns: ReturnType<typeof useHarvestColumns>
  filters: React.ReactNode
  onRemoved: () => void
}

function Rows({ rows, columns, filters, onRemoved }: RowsProps) {
  const t = useWords()
  const { services } = useSession()
  const selection = useRowSelection(numberOf, ({ name }) => t('harvests.select', { name }))
  const { running, act } = useHarvestActions()
  const remove = useRemoval()
  const selected = rows.filter(selection.has)
  const none = selected.length === 0 ? t('harvests.none.selected') : null

  async function removeSelected(): Promise<void> {
    const each = selected.map(({ harvest, name }) => ({
      name,
      remove: () => services.harvestDefinitions.remove({ harvest }),
    }))
    const count = each.length
    const removed = await remove({
      title: t('harvests.remove.title', { count }),
      text: t('harvests.remove.text'),
      each,
    })
    if (removed === 0) return
    selection.clear()
    onRemoved()
  }

  return (
    <Table
      label={t('harvests.title')}
      rows={rows}
      columns={columns}
      rowKey={numberOf}
      selection={selection}
      sortedBy={{ id: 'name', desc: false }}
      heightMax="calc(100vh - 300px)"
      empty={
        <EmptyState title={t('harvests.noneOfKind')} text={t('harvests.noneOfKind.text')}>
          {filters}
        </EmptyState>
      }
      aside={
        <>
          {filters}
          {actions.map(({ action, icon: Icon }) => (
            <ActionButton
              needs={`harvestDefinitions.${action}`}
              key={action}
              size="xs"
              variant="default"
              leftSection={<Icon size={14} aria-hidden />}
              loading={running === action}
              why={none}
              onClick={() => void act(action, selected.map(numberOf))}
            >
              {t(`harvests.${action}`)}
            </ActionButton>
          ))}
          <ActionButton
            needs="harvestDefinitions.remove"
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
  )
}

function numberOf({ harvest }: HarvestRow): number {
  return harvest
}
