/** A number field with a select for its unit, in one field, so that label and help have the whole width. */
import { NumberInput, Select, type NumberInputProps } from '@mantine/core'
import styles from './parts.module.css'

interface AmountInputProps<Unit extends string> extends Omit<NumberInputProps, 'value' | 'onChange'> {
  amount: number | string
  unit: Unit
  units: readonly { value: Unit; label: string }[]
  /** Label of the unit. */
  unitLabel: string
  onChange: (amount: number | string, unit: Unit) => void
}

export function AmountInput<Unit extends string>(props: AmountInputProps<Unit>) {
  const { amount, unit, units, unitLabel, onChange, ...rest } = props
  return (
    <NumberInput
      {...rest}
      value={amount}
      onChange={(changed) => onChange(changed, unit)}
      hideControls
      rightSectionWidth="7rem"
      rightSection={
        <Select
          className={styles.amountUnit}
          variant="unstyled"
          // Otherwise it takes the width of the section that contains it.
          rightSectionWidth="1.75rem"
          aria-label={unitLabel}
          data={units}
          value={unit}
          allowDeselect={false}
          onChange={(chosen) => onChange(amount, units.find(({ value }) => value === chosen)?.value ?? unit)}
        />
      }
    />
  )
}
