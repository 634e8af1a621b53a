/** What is counted, and how it is shown. */
import { Checkbox, Group, SegmentedControl, Select, TextInput } from '@mantine/core'
import { growthPeriods } from '../../../src-main/contract/shapes/choices.ts'
import { useWords } from '../../words/words.tsx'
import { askedOf, growthBys, growthMeasures, type GrowthDraft } from './growthDraft.ts'

interface GrowthFiltersProps {
  draft: GrowthDraft
  onChange: (draft: GrowthDraft) => void
}

export function GrowthFilters({ draft, onChange }: GrowthFiltersProps) {
  const t = useWords()
  const change = (changes: Partial<GrowthDraft>) => onChange({ ...draft, ...changes })
  return (
    <Group gap="sm" mb="md" align="end">
      <TextInput
        label={t('growth.domain')}
        w={220}
        placeholder={t('growth.domain.hint')}
        spellCheck={false}
        value={draft.domain}
        onChange={(event) => change({ domain: event.currentTarget.value })}
      />
      <TextInput
        label={t('activity.filter.jobs')}
        w={200}
        placeholder={t('activity.filter.jobs.hint')}
        value={draft.jobs}
        error={askedOf(draft) === undefined && t('activity.filter.jobs.wrong')}
        onChange={(event) => change({ jobs: event.currentTarget.value })}
      />
      <Select
        label={t('growth.by')}
        w={150}
        allowDeselect={false}
        data={growthBys.map((value) => ({ value, label: t(`growth.by.${value}`) }))}
        value={draft.by}
        onChange={(value) => change({ by: growthBys.find((by) => by === value) ?? draft.by })}
      />
      <SegmentedControl
        aria-label={t('growth.period')}
        data={growthPeriods.map((value) => ({ value, label: t(`growth.period.${value}`) }))}
        value={draft.period}
        onChange={(value) => change({ period: growthPeriods.find((period) => period === value) ?? draft.period })}
      />
      <SegmentedControl
        aria-label={t('growth.measure')}
        data={growthMeasures.map((value) => ({ value, label: t(`growth.${value}`) }))}
        value={draft.measure}
        onChange={(value) => change({ measure: growthMeasures.find((measure) => measure === value) ?? draft.measure })}
      />
      <Checkbox
        pb={8}
        label={t('growth.cumulative')}
        checked={draft.isCumulative}
        onChange={(event) => change({ isCumulative: event.currentTarget.checked })}
      />
    </Group>
  )
}
