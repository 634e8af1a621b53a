/** Settings of the chosen kind of output. */
import { Textarea, TextInput } from '@mantine/core'
import { isWord, useWords } from '../../words/words.tsx'
import type { ErrorOf } from '../harvest/problemWords.ts'
import { kindOf, settingsOf, type OutputDraft } from './outputDraft.ts'

interface OutputSettingsProps {
  draft: OutputDraft
  errorOf: ErrorOf
  onChange: (changes: Partial<OutputDraft>) => void
}

/** Settings without which there is no output of the kind. */
const required: readonly string[] = ['url', 'index', 'folder', 'idField']
/** Settings with several lines. */
const long: readonly string[] = ['headers', 'settings']

export function OutputSettings({ draft, errorOf, onChange }: OutputSettingsProps) {
  const t = useWords()
  const { kind } = kindOf(draft.connector)
  return settingsOf[kind].map((setting) => {
    const hint = [`outputs.${setting}.${kind}.hint`, `outputs.${setting}.hint`].find(isWord)
    const props = {
      'data-field': `output.${setting}`,
      label: t(`outputs.${setting}`),
      ...(hint !== undefined && { description: t(hint) }),
      value: draft[setting],
      onChange: (event: { currentTarget: { value: string } }) => onChange({ [setting]: event.currentTarget.value }),
      spellCheck: false,
      ...errorOf(`output.${setting}`),
    }
    return long.includes(setting) ? (
      <Textarea key={setting} {...props} autosize classNames={{ input: 'mono' }} />
    ) : (
      <TextInput key={setting} {...props} required={required.includes(setting)} />
    )
  })
}
