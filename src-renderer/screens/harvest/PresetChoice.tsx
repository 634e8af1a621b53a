/** Frequent harvests, at the top of the form of a new one. */
import { Input, SegmentedControl } from '@mantine/core'
import { useId } from 'react'
import { useWords } from '../../words/words.tsx'
import { localZone } from '../schedule/localTimes.ts'
import { harvestPresets, presetFields, presetOf } from './harvestPresets.ts'
import type { HarvestFields } from './useHarvestForm.ts'

export function PresetChoice({ fields: { draft, change } }: { fields: HarvestFields }) {
  const t = useWords()
  const labelId = useId()
  const chosen = presetOf(draft, localZone())
  function choose(value: string): void {
    const preset = harvestPresets.find((one) => one === value)
    if (preset === undefined) return
    const { scope, maxHops, schedule, login } = presetFields(preset, localZone())
    change('scope', scope)
    change('maxHops', maxHops)
    change('schedule', schedule)
    change('login', login)
  }
  return (
    <div>
      <Input.Label id={labelId} component="div">
        {t('preset.title')}
      </Input.Label>
      <SegmentedControl
        fullWidth
        aria-labelledby={labelId}
        value={chosen ?? ''}
        data={harvestPresets.map((preset) => ({ value: preset, label: t(`preset.${preset}`) }))}
        onChange={choose}
      />
      <Input.Description mt={4}>{t(chosen === null ? 'preset.own' : `preset.${chosen}.text`)}</Input.Description>
    </div>
  )
}
