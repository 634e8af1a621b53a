/** Properties that all text fields and all number fields of the harvest form share. */
import type { Translate, WordId } from '../../words/words.tsx'
import type { HarvestFields } from './useHarvestForm.ts'

export type NumberField =
  | 'maxHops'
  | 'maxObjects'
  | 'maxBytes'
  | 'maxSeconds'
  | 'maxNoResponseSeconds'
  | 'maxInactiveSeconds'
  | 'workers'
  | 'delayMs'
  | 'connectionsPerHost'
export type TextField = 'seeds' | 'name' | 'include' | 'exclude' | 'domains' | 'userAgent' | 'resolve'
type Fields = Pick<HarvestFields, 'draft' | 'change' | 'errorOf'>

export function textProps(
  t: Translate,
  { draft, change, errorOf }: Fields,
  { field, label, description }: { field: TextField; label: WordId; description: WordId },
) {
  return {
    'data-field': field,
    label: t(label),
    description: t(description),
    value: draft[field],
    onChange: (event: { currentTarget: { value: string } }) => change(field, event.currentTarget.value),
    ...errorOf(field),
  }
}

/** An empty number means the value of the settings for these, and no limit for the others. */
const fromSettings: readonly NumberField[] = ['workers', 'delayMs', 'connectionsPerHost']

export function numberProps(t: Translate, { draft, change, errorOf }: Fields, field: NumberField) {
  return {
    'data-field': field,
    label: t(`form.${field}`),
    description: t(`form.${field}.hint`),
    placeholder: t(fromSettings.includes(field) ? 'form.asSet' : 'form.noLimit'),
    value: draft[field],
    onChange: (value: number | string) => change(field, value),
    hideControls: true,
    ...errorOf(field),
  }
}
