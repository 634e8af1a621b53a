/** A limit of bytes or seconds that is typed with a unit. It is a plain number outside, or null where nothing is typed. */
import { useState } from 'react'
import { useWords } from '../words/words.tsx'
import { AmountInput } from './AmountInput.tsx'
import { byteUnits, fromUnit, inUnit, timeUnits } from './units.ts'

interface LimitInputProps {
  label: string
  description?: string
  placeholder?: string
  /** Bytes or seconds; read when the field appears. */
  value: number | null
  onChange: (value: number | null) => void
  error?: string
  'data-field'?: string
}

export function BytesInput(props: LimitInputProps) {
  return <LimitInput {...props} units={byteUnits} usual="MB" nameOf={(unit) => unit} />
}

export function SecondsInput(props: LimitInputProps) {
  const t = useWords()
  return <LimitInput {...props} units={timeUnits} usual="hours" nameOf={(unit) => t(`unit.${unit}`)} />
}

interface Units<Unit extends string> {
  units: Readonly<Record<Unit, number>>
  usual: Unit
  nameOf: (unit: Unit) => string
}

function LimitInput<Unit extends string>({
  value,
  onChange,
  units,
  usual,
  nameOf,
  ...rest
}: LimitInputProps & Units<Unit>) {
  const t = useWords()
  const [typed, setTyped] = useState(() => inUnit(value, units, usual))
  return (
    <AmountInput
      {...rest}
      min={0}
      {...typed}
      units={(Object.keys(units) as Unit[]).map((unit) => ({ value: unit, label: nameOf(unit) }))}
      unitLabel={t('unit.of', { field: rest.label })}
      onChange={(amount, unit) => {
        setTyped({ amount, unit })
        onChange(fromUnit({ amount, unit }, units))
      }}
    />
  )
}
