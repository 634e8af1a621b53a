/** The scope of a web harvest: links within the host, the domain, the path, or all links. */
import { Radio, Stack } from '@mantine/core'
import { scopes } from '../../../src-main/contract/shapes/choices.ts'
import { useWords } from '../../words/words.tsx'
import type { HarvestFields } from './useHarvestForm.ts'

export function ScopeField({ fields: { draft, change, errorOf } }: { fields: HarvestFields }) {
  const t = useWords()
  return (
    <Radio.Group
      data-field="scope"
      {...errorOf('scope')}
      name="scope"
      label={t('form.scope')}
      value={draft.scope}
      onChange={(value) => change('scope', scopes.find((scope) => scope === value) ?? draft.scope)}
    >
      <Stack gap={6} mt={6}>
        {scopes.map((scope) => (
          <Radio key={scope} value={scope} label={t(`scope.${scope}`)} description={t(`scope.${scope}.meaning`)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
