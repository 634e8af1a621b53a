/** Sets budgets for many domains at once, with one limit for all or a pasted list with limits per domain, and previews the effect. */
import { Group, NumberInput, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useCallback, useMemo, useState, type SubmitEvent } from 'react'
import type { Budget, BudgetEffect, QueueWhole } from '../../../src-main/contract/services/live.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useFormErrors } from '../../parts/useFormErrors.ts'
import { useSending } from '../../parts/useSending.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { budgetsOf, numberOf } from './budgetDraft.ts'
import { useTrial } from './trial.ts'
import { usedColumns } from './usedColumns.ts'

interface BudgetDialogProps {
  isOpen: boolean
  queue: QueueWhole
  onDone: () => void
  onClose: () => void
}

export function BudgetDialog(props: BudgetDialogProps) {
  const t = useWords()
  return (
    <FormDialog
      opened={props.isOpen}
      onClose={props.onClose}
      size={900}
      title={t('queue.budgets.title', { job: props.queue.job })}
    >
      {props.isOpen && <BudgetForm {...props} />}
    </FormDialog>
  )
}

interface BudgetDraft {
  /** Domains, one per line, optionally with limits of their own. */
  text: string
  /** Limits for lines without their own; null for no limit. */
  objects: number | null
  bytes: number | null
}

const emptyDraft: BudgetDraft = { text: '', objects: null, bytes: null }

function BudgetForm({ queue: { job }, onDone, onClose }: BudgetDialogProps) {
  const t = useWords()
  const { services } = useSession()
  const [draft, setDraft] = useState(emptyDraft)
  const { isSending, refusal, forget, send } = useSending()
  const made = useMemo(() => budgetsOf(draft.text, draft), [draft])
  const budgets = 'budgets' in made && made.budgets.length > 0 ? made.budgets : null
  const ask = useCallback(
    (given: Budget[]) => services.queue.budgets({ job, budgets: given, isTrial: true }),
    [services, job],
  )
  const preview = useTrial(budgets, ask)
  const wrong = 'wrong' in made ? made.wrong : null
  const missing = budgets === null ? t('queue.budgets.problem.none') : null
  const refusedPreview = preview?.is === 'refused' ? preview.fault : null
  const errors = useFormErrors({ budgets: wrong ?? missing }, refusal ?? refusedPreview)
  const saved = useUnsaved(JSON.stringify(draft) !== JSON.stringify(emptyDraft))

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (isSending || !errors.isComplete() || budgets === null) return
    const fault = await send(() => services.queue.budgets({ job, budgets, isTrial: false }))
    if (fault) return errors.leadTo(fault)
    saved()
    onDone()
    onClose()
  }

  return (
    <form
      ref={errors.form}
      onSubmit={(event) => void submit(event)}
      noValidate
      aria-label={t('queue.budgets.title', { job })}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('queue.budgets.text')}
        </Text>
        <Textarea
          {...errors.control('budgets')}
          {...(wrong !== null && { error: wrong })}
          label={t('queue.budgets.domains')}
          description={t('queue.budgets.domains.hint')}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          autosize
          minRows={4}
          maxRows={12}
          data-autofocus
          value={draft.text}
          onChange={(event) => {
            setDraft({ ...draft, text: event.currentTarget.value })
            forget()
          }}
        />
        <Limits draft={draft} onChange={(limits) => setDraft({ ...draft, ...limits })} />
        {preview?.is === 'loading' && <Text role="status">{t('queue.preview.wait')}</Text>}
        {preview?.is === 'ready' && <Effects effects={preview.value} />}
        {errors.note && <FaultNote fault={errors.note} />}
        <Group justify="end">
          <ActionButton type="submit" why={isSending ? t('queue.why.going') : null} onClick={() => undefined}>
            {t('queue.budgets.verb')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

interface LimitsProps {
  draft: BudgetDraft
  onChange: (limits: Partial<BudgetDraft>) => void
}

function Limits({ draft, onChange }: LimitsProps) {
  const t = useWords()
  const limit = (field: 'objects' | 'bytes') => (
    <NumberInput
      label={t(`queue.budgets.${field}`)}
      placeholder={t('queue.budgets.bound.none')}
      hideControls
      min={0}
      allowDecimal={false}
      value={draft[field] ?? ''}
      onChange={(value) => onChange({ [field]: numberOf(value) })}
    />
  )
  return (
    <div>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {limit('objects')}
        {limit('bytes')}
      </SimpleGrid>
      <Text size="sm" c="dimmed" mt={4}>
        {t('queue.budgets.bound.hint')}
      </Text>
    </div>
  )
}

function Effects({ effects }: { effects: readonly BudgetEffect[] }) {
  const t = useWords()
  const formats = useFormats()
  const columns = useMemo<Column<BudgetEffect>[]>(() => {
    const counted = (
      id: 'waiting' | 'dropped' | 'restored' | 'over',
      head: string,
      width: number,
    ): Column<BudgetEffect> => ({
      id,
      head,
      value: (effect) => effect[id],
      cell: (effect) => (effect[id] === null ? '' : formats.count(effect[id])),
      numeric: true,
      width,
    })
    return [
      ...usedColumns({ t, formats }, { objects: 120, bytes: 150 }),
      counted('waiting', t('queue.waiting'), 84),
      counted('dropped', t('queue.budget.dropped'), 110),
      counted('restored', t('queue.budget.restored'), 100),
      counted('over', t('queue.budget.over'), 140),
    ]
  }, [t, formats])
  return (
    <Table
      label={t('queue.budgets.effect')}
      rows={effects}
      columns={columns}
      rowKey={({ domain }) => domain}
      heightMax={260}
      tools={false}
    />
  )
}
