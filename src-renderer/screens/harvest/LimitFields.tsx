/** Limits of a run: link depth, URLs, bytes and time. All are optional. */
import { NumberInput, SimpleGrid } from '@mantine/core'
import { AmountInput } from '../../parts/AmountInput.tsx'
import { FixedFields } from '../../parts/FixedFields.tsx'
import { byteUnits, timeUnits } from '../../parts/units.ts'
import { useWords } from '../../words/words.tsx'
import { numberProps } from './fieldProps.ts'
import type { HarvestDraft } from './harvestDraft.ts'
import type { HarvestFields } from './useHarvestForm.ts'

interface LimitFieldsProps {
  fields: HarvestFields
  /** Only a web harvest follows links, so only it has a link depth. */
  hasHops: boolean
}

export function LimitFields({ fields, hasHops }: LimitFieldsProps) {
  const t = useWords()
  return (
    <fieldset>
      <legend>{t('form.limits')}</legend>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {hasHops && (
          <FixedFields why={fields.fixedOf((draft) => draft.maxHops, 'maxHops')}>
            <NumberInput {...numberProps(t, fields, 'maxHops')} allowDecimal={false} />
          </FixedFields>
        )}
        <NumberInput {...numberProps(t, fields, 'maxObjects')} allowDecimal={false} />
        <AmountField field="maxBytes" fields={fields} units={unitsOf(byteUnits, (unit) => unit)} />
        {(['maxSeconds', 'maxNoResponseSeconds', 'maxInactiveSeconds'] as const).map((field) => (
          <AmountField
            key={field}
            field={field}
            fields={fields}
            units={unitsOf(timeUnits, (unit) => t(`unit.${unit}`))}
          />
        ))}
      </SimpleGrid>
    </fieldset>
  )
}

type AmountName = 'maxBytes' | 'maxSeconds' | 'maxNoResponseSeconds' | 'maxInactiveSeconds'

interface AmountFieldProps<Field extends AmountName> {
  field: Field
  fields: HarvestFields
  units: { value: HarvestDraft[`${Field}Unit`]; label: string }[]
}

/** A limit with a unit that the user chooses. The draft keeps number and unit separately, as they were typed. */
function AmountField<Field extends AmountName>({ field, fields, units }: AmountFieldProps<Field>) {
  const t = useWords()
  return (
    <AmountInput
      {...numberProps(t, fields, field)}
      amount={fields.draft[field]}
      unit={fields.draft[`${field}Unit`]}
      units={units}
      unitLabel={t('unit.of', { field: t(`form.${field}`) })}
      onChange={(amount, unit) => {
        fields.change(field, amount)
        fields.change(`${field}Unit`, unit)
      }}
    />
  )
}

function unitsOf<Unit extends string>(units: Readonly<Record<Unit, number>>, label: (unit: Unit) => string) {
  return (Object.keys(units) as Unit[]).map((unit) => ({ value: unit, label: label(unit) }))
}
