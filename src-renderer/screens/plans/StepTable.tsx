/** The steps of a plan as a table: all that the drawing shows. */
import { useMemo } from 'react'
import type { DeliveryStepFacts } from '../../../src-main/contract/services/deliveries.ts'
import { useFormats, type Formats } from '../../parts/formats.ts'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import type { PlanNumbers } from './planNumbers.ts'
import { effectWords } from './stepWords.ts'

interface StepTableProps {
  steps: readonly DeliveryStepFacts[]
  numbers: PlanNumbers
}

export function StepTable({ steps, numbers }: StepTableProps) {
  const t = useWords()
  const formats = useFormats()
  const columns = useMemo(
    () => [...factColumns(t, steps, numbers, formats), ...figureColumns(t, numbers, formats)],
    [t, steps, numbers, formats],
  )
  return (
    <Table
      label={t('plan.steps.table')}
      rows={steps}
      columns={columns}
      rowKey={({ name }) => name}
      tools={false}
      heightMax={420}
    />
  )
}

type StepColumn = Column<DeliveryStepFacts>

function factColumns(
  t: Translate,
  steps: readonly DeliveryStepFacts[],
  numbers: PlanNumbers,
  { count }: Formats,
): StepColumn[] {
  const nextOf = ({ name, router }: DeliveryStepFacts) => {
    const next = steps
      .filter(({ after }) => after.includes(name))
      .map((step) => {
        const documents = numbers.passed(name, step.name)
        return documents === undefined
          ? step.name
          : t('plan.next.count', { step: step.name, documents: count(documents) })
      })
    return router
      ? t('plan.next.router', { router: t(`plan.router.${router.kind}`), steps: next.join(', ') })
      : next.join(', ')
  }
  return [
    { id: 'step', head: t('plan.step'), value: ({ name }) => name, widthMin: 130, stays: true },
    { id: 'role', head: t('plan.role'), value: ({ role }) => t(`plan.role.${role}`), width: 104 },
    { id: 'kind', head: t('plan.kind'), value: ({ kind }) => kind, width: 104 },
    { id: 'effect', head: t('plan.effect'), value: (step) => t('plan.effectOf', effectWords(t, step)), width: 190 },
    { id: 'after', head: t('plan.after'), value: ({ after }) => after.join(', '), widthMin: 100 },
    { id: 'next', head: t('plan.next'), value: nextOf, wraps: true, widthMin: 200 },
  ]
}

function figureColumns(t: Translate, numbers: PlanNumbers, { count }: Formats): StepColumn[] {
  const figure = (id: 'done' | 'dropped' | 'failed', head: string): StepColumn => ({
    ...{ id, head, numeric: true, width: 92 },
    value: ({ name }) => numbers.step(name)?.[id] ?? null,
    cell: ({ name }) => {
      const documents = numbers.step(name)?.[id]
      return documents === undefined ? '–' : count(documents)
    },
  })
  return [figure('done', t('plan.done')), figure('dropped', t('plan.dropped')), figure('failed', t('plan.stepFailed'))]
}
