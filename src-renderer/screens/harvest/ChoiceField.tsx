/** A choice between a few values of a harvest, each with its meaning below it. */
import { Radio, Stack } from '@mantine/core'
import { useWords, type WordId } from '../../words/words.tsx'
import type { ErrorOf } from './problemWords.ts'

/** Key of the text of a value; the key of its meaning is the same with `.meaning` at its end. */
export type ValueWord = WithMeaning<WordId>
type WithMeaning<Word> = Word extends `${infer Value}.meaning` ? Extract<WordId, Value> : never

interface ChoiceFieldProps<Value extends string> {
  /** Where the value is in the definition. */
  field: string
  label: string
  hint?: string
  values: readonly Value[]
  value: Value
  wordOf: (value: Value) => ValueWord
  errorOf: ErrorOf
  onChange: (value: Value) => void
}

export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const t = useWords()
  const { field, label, hint, values, value, wordOf, errorOf, onChange } = props
  return (
    <Radio.Group
      data-field={field}
      name={field}
      {...errorOf(field)}
      label={label}
      description={hint}
      value={value}
      onChange={(chosen) => onChange(values.find((each) => each === chosen) ?? value)}
    >
      <Stack gap={6} mt={6}>
        {values.map((each) => (
          <Radio key={each} value={each} label={t(wordOf(each))} description={t(`${wordOf(each)}.meaning`)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
