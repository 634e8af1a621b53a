/** Include and exclude patterns, and for the Web also user agent and fixed IP addresses of hosts. */
import { Stack, Textarea, TextInput } from '@mantine/core'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { useWords } from '../../words/words.tsx'
import { textProps } from './fieldProps.ts'
import type { HarvestFields } from './useHarvestForm.ts'

export function MorePart({ fields, isLocal }: { fields: HarvestFields; isLocal: boolean }) {
  const t = useWords()
  const lines = (field: 'include' | 'exclude' | 'domains' | 'resolve') => (
    <Textarea
      {...textProps(t, fields, { field, label: `form.${field}`, description: `form.${field}.hint` })}
      autosize
      minRows={1}
      spellCheck={false}
      classNames={{ input: 'mono' }}
    />
  )
  const agent = { field: 'userAgent', label: 'form.userAgent', description: 'form.userAgent.hint' } as const
  return (
    <FoldedPart
      title={t(isLocal ? 'form.more.folder' : 'form.more')}
      text={t(isLocal ? 'form.more.folder.text' : 'form.more.text')}
    >
      <Stack gap="md">
        {lines('include')}
        {lines('exclude')}
        {!isLocal && (
          <>
            {lines('domains')}
            <TextInput {...textProps(t, fields, agent)} />
            {lines('resolve')}
          </>
        )}
      </Stack>
    </FoldedPart>
  )
}
