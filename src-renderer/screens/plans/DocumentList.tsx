/** The list of documents in one status, with the decisions about the selected ones, or about all. */
import { Group } from '@mantine/core'
import { Ban, RotateCcw, Send } from 'lucide-react'
import { useCallback, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import {
  chosenMax,
  deliveryDecisions,
  type DeliveredDocument,
  type DeliveryDecision,
  type DeliveryDestination,
} from '../../../src-main/contract/services/deliveries.ts'
import type { DeliveryState } from '../../../src-main/contract/states/deliveryStates.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useFormats } from '../../parts/formats.ts'
import { useRowSelection, useSelectionColumn } from '../../parts/rowSelection.tsx'
import { TableFrame } from '../../parts/TableFrame.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { makePlanDocuments } from '../../state/planDocuments.ts'
import { canDecide } from '../../state/planStatuses.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { useDocumentColumns } from './documentColumns.tsx'
import { useDecisions } from './useDecisions.ts'

interface DocumentListProps {
  destination: DeliveryDestination
  state: DeliveryState
  scannerKind: string | undefined
  /** Documents in the status, as the plan counts them. */
  total: number
  isStopped: boolean
  onHistory: (document: string) => void
}

const icons = { retry: RotateCcw, force: Send, drop: Ban }

export function DocumentList(props: DocumentListProps) {
  const { destination, state, scannerKind, total, isStopped, onHistory } = props
  const t = useWords()
  const { count } = useFormats()
  const { services } = useSession()
  const { id } = destination
  const store = useMemo(() => makePlanDocuments(services, { destination: id, state }), [services, id, state])
  const { rows, isComplete, fault, want, refresh, follow } = useStore(store)
  useEffect(() => refresh(), [refresh])
  useChanges(services.deliveries.changed, follow)
  const selection = useRowSelection(idOf, ({ document }) => t('plan.document.select', { document }))
  const decide = useDecisions()
  const columns = useDocumentColumns(scannerKind, onHistory)
  const rowAt = useCallback((index: number) => rows[index], [rows])
  const shown = useSelectionColumn(columns, selection, {
    ...{ rowAt, count: rows.length },
    all: () => selection.choose(rows, true),
  })
  // A document that has another status by now is not decided about.
  const selected = rows.filter((row) => selection.has(row)).map(idOf)
  const affected = selected.length > 0 ? selected.length : total

  async function act(decision: DeliveryDecision): Promise<void> {
    const documents = selected.length > 0 ? selected : { destination: id, state }
    const isDone = await decide({
      ...{ decision, documents, count: affected, isStopped },
      destination: destination.destination,
    })
    if (!isDone) return
    selection.clear()
    refresh()
  }

  const whyNot = (decision: DeliveryDecision): string | null => {
    if (!canDecide(decision, state)) return t('plan.decide.why.state')
    if (selected.length > chosenMax) return t('plan.decide.why.many', { max: count(chosenMax) })
    return affected === 0 ? t('plan.decide.why.none') : null
  }

  return (
    <div>
      {fault && <FaultNote fault={fault} onRetry={refresh} />}
      <Group justify="space-between" mb="xs" gap="xs">
        <span className="dimmed tabular" role="status">
          {isComplete === undefined
            ? t('loading')
            : t('plan.shown', { isComplete: String(isComplete), shown: rows.length })}
        </span>
        <Group gap="xs">
          {deliveryDecisions.map((decision) => {
            const Icon = icons[decision]
            const values = { verb: t(`plan.${decision}`), count: count(affected) }
            return (
              <ActionButton
                key={decision}
                size="xs"
                variant="default"
                leftSection={<Icon size={14} aria-hidden />}
                why={whyNot(decision)}
                onClick={() => void act(decision)}
              >
                {t(selected.length > 0 ? 'plan.decide.selected' : 'plan.decide.all', values)}
              </ActionButton>
            )
          })}
        </Group>
      </Group>
      {rows.length === 0 && isComplete ? (
        <EmptyState title={t('plan.documents.none')} text={t('plan.documents.none.text')} />
      ) : (
        <TableFrame
          label={t('plan.documents')}
          columns={shown.columns}
          onKeyDown={shown.onKeyDown}
          count={rows.length}
          rowAt={rowAt}
          keyAt={(index) => rows[index]?.id ?? index}
          head={(column) => ({ content: column.head })}
          onVisible={(_, to) => want(to)}
        />
      )}
    </div>
  )
}

function idOf({ id }: DeliveredDocument): number {
  return id
}
