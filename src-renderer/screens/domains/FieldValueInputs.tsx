/** Inputs for the further fields that an institution has defined. */
import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useCallback } from 'react'
import type { ExtendedField, FieldValues } from '../../../src-main/contract/services/domains.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

interface FieldValueInputsProps {
  subject: ExtendedField['subject']
  values: FieldValues
  onChange: (values: FieldValues) => void
}

export function FieldValueInputs({ subject, values, onChange }: FieldValueInputsProps) {
  const { services } = useSession()
  const [fields] = useLoaded(useCallback(() => services.extendedFields.list({}), [services]))
  const own = (valueOf(fields) ?? []).filter((field) => field.subject === subject)
  return own.map((field) => (
    <FieldInput
      key={field.name}
      field={field}
      value={values[field.name] ?? field.usual ?? ''}
      onChange={(value) => onChange({ ...values, [field.name]: value })}
    />
  ))
}

/** Values without those that were emptied. */
export function typedValues(values: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}

interface FieldInputProps {
  field: ExtendedField
  value: FieldValues[string]
  onChange: (value: FieldValues[string]) => void
}

function FieldInput({ field: { name, kind, choices, isRequired }, value, onChange }: FieldInputProps) {
  const t = useWords()
  const props = { label: name, required: isRequired }
  switch (kind) {
    case 'boolean':
      return (
        <Switch label={name} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
      )
    case 'number':
      return <NumberInput {...props} value={typeof value === 'number' ? value : ''} onChange={onChange} />
    case 'choice':
      return (
        <Select
          {...props}
          data={choices}
          clearable={!isRequired}
          placeholder={t('fields.none')}
          value={String(value) || null}
          onChange={(chosen) => onChange(chosen ?? '')}
        />
      )
    case 'note':
      return (
        <Textarea
          {...props}
          autosize
          minRows={2}
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'date':
    case 'text':
      return (
        <TextInput
          {...props}
          type={kind === 'date' ? 'date' : 'text'}
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
  }
}
