/** The scope of a web harvest: links within the host, the domain, the path, or all links. */
import { scopes } from '../../../src-main/contract/shapes/choices.ts'
import { useWords } from '../../words/words.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import type { HarvestFields } from './useHarvestForm.ts'

export function ScopeField({ fields: { draft, change, errorOf } }: { fields: HarvestFields }) {
  const t = useWords()
  return (
    <ChoiceField
      field="scope"
      label={t('form.scope')}
      values={scopes}
      value={draft.scope}
      wordOf={(scope) => `scope.${scope}`}
      errorOf={errorOf}
      onChange={(scope) => change('scope', scope)}
    />
  )
}
