/** The part of the harvest form for the order of documents in the WARC files. */
import { orders } from '../../../src-main/contract/shapes/choices.ts'
import { FixedFields } from '../../parts/FixedFields.tsx'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { useWords } from '../../words/words.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import type { HarvestDraft } from './harvestDraft.ts'
import type { ErrorOf } from './problemWords.ts'

interface OrderPartProps {
  order: HarvestDraft['order']
  errorOf: ErrorOf
  /** The reason why the order cannot be changed now; null where it can. */
  fixed: string | null
  onChange: (order: HarvestDraft['order']) => void
}

export function OrderPart({ order, errorOf, fixed, onChange }: OrderPartProps) {
  const t = useWords()
  return (
    <FoldedPart title={t('form.order')} text={t('form.order.text')}>
      <FixedFields why={fixed}>
        <ChoiceField
          field="order"
          label={t('form.order')}
          values={orders}
          value={order}
          wordOf={(each) => `form.order.${each}`}
          errorOf={errorOf}
          onChange={onChange}
        />
      </FixedFields>
    </FoldedPart>
  )
}
