/** Budgets of many domains at once: the same for all of them, or pasted lines with their own, with what they would do. */
import { Group, NumberInput, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useCallback, useMemo, useState, type SubmitEvent } from 'react'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import type { Budget, BudgetEffect, QueueWhole } from '../../../src-main/contract/services/live.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useFormErrors } from '../../parts/useFormErrors.ts'
import { faultFrom } from '../../state/loaded.ts'
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

function BudgetForm({ queue: { job }, onDone, onClose }: BudgetDialogProps) {
  const t = useWords()
  const { services } = useSession()
  const [text, setText] = useState('')
  const [objects, setObjects] = useState<number | null>(null)
  const [bytes, setBytes] = useState<number | null>(null)
  const [going, setGoing] = useState(false)
  const [refusal, setRefusal] = useState<Fault | null>(null)
  const made = useMemo(() => budgetsOf(text, { objects, bytes }), [text, objects, bytes])
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
  const saved = useUnsaved(text !== '' || objects !== null || bytes !== null)

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (going || !errors.isComplete() || budgets === null) return
    setGoing(true)
    setRefusal(null)
    try {
      await services.queue.budgets({ job, budgets, isTrial: false })
      saved()
      onDone()
      onClose()
    } catch (error) {
      const fault = faultFrom(error)
      setRefusal(fault)
      setGoing(false)
      errors.leadTo(fault)
    }
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
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setRefusal(null)
          }}
        />
        <div>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            <NumberInput
              label={t('queue.budgets.objects')}
              placeholder={t('queue.budgets.bound.none')}
              hideControls
              min={0}
              allowDecimal={false}
              value={objects ?? ''}
              onChange={(value) => setObjects(numberOf(value))}
            />
            <NumberInput
              label={t('queue.budgets.bytes')}
              placeholder={t('queue.budgets.bound.none')}
              hideControls
              min={0}
              allowDecimal={false}
              value={bytes ?? ''}
              onChange={(value) => setBytes(numberOf(value))}
            />
          </SimpleGrid>
          <Text size="sm" c="dimmed" mt={4}>
            {t('queue.budgets.bound.hint')}
          </Text>
        </div>
        {preview?.is === 'loading' && <Text role="status">{t('queue.preview.wait')}</Text>}
        {preview?.is === 'ready' && <Effects effects={preview.value} />}
        {errors.note && <FaultNote fault={errors.note} />}
        <Group justify="end">
          <ActionButton type="submit" why={going ? t('queue.why.going') : null} onClick={() => undefined}>
            {t('queue.budgets.verb')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
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
