/** The filters of the chosen report. */
import { Group, MultiSelect, NumberInput, Select, TextInput } from '@mantine/core'
import { documentStates } from '../../../src-main/contract/states/documentStates.ts'
import { activityKinds, historyReportNames } from '../../../src-main/contract/services/history.ts'
import { activityMessage, comparisonMessage } from '../../../src-main/contract/services/historyLabels.ts'
import { comparisons } from '../../../src-main/contract/shapes/comparisons.ts'
import { useWords } from '../../words/words.tsx'
import { areJobsWrong, hasFilter, patternFields, patternWrong, type HistoryDraft } from './historyDraft.ts'

interface HistoryFiltersProps {
  draft: HistoryDraft
  onChange: (draft: HistoryDraft) => void
}

export function HistoryFilters({ draft, onChange }: HistoryFiltersProps) {
  const t = useWords()
  const change = (changes: Partial<HistoryDraft>) => onChange({ ...draft, ...changes })
  return (
    <Group gap="sm" mb="md" align="start">
      <Select
        label={t('activity.report')}
        w={220}
        data={historyReportNames.map((name) => ({ value: name, label: t(`activity.report.${name}`) }))}
        value={draft.report}
        allowDeselect={false}
        onChange={(value) => change({ report: historyReportNames.find((name) => name === value) ?? draft.report })}
      />
      <TextInput
        label={t('activity.filter.jobs')}
        w={220}
        placeholder={t('activity.filter.jobs.hint')}
        value={draft.jobs}
        error={areJobsWrong(draft) && t('activity.filter.jobs.wrong')}
        onChange={(event) => change({ jobs: event.currentTarget.value })}
      />
      {hasFilter(draft.report, 'time') &&
        (['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="datetime-local"
            label={t(`activity.filter.${end}`)}
            w={220}
            value={draft[end]}
            onChange={(event) => change({ [end]: event.currentTarget.value })}
          />
        ))}
      {hasFilter(draft.report, 'window') && (
        <NumberInput
          label={t('activity.filter.window')}
          w={150}
          min={1}
          max={30 * 86_400}
          allowDecimal={false}
          value={draft.windowSeconds}
          onChange={(value) => typeof value === 'number' && value >= 1 && change({ windowSeconds: value })}
        />
      )}
      <ChosenFilters draft={draft} onChange={onChange} />
      {patternFields
        .filter((field) => hasFilter(draft.report, field))
        .map((field) => {
          const wrong = patternWrong(draft, field)
          return (
            <TextInput
              key={field}
              label={t(`activity.filter.${field}`)}
              w={260}
              placeholder={t('activity.filter.pattern.hint')}
              spellCheck={false}
              value={draft[field]}
              error={wrong && t(wrong)}
              onChange={(event) => change({ [field]: event.currentTarget.value })}
            />
          )
        })}
    </Group>
  )
}

function ChosenFilters({ draft, onChange }: HistoryFiltersProps) {
  const t = useWords()
  return (
    <>
      {hasFilter(draft.report, 'activities') && (
        <MultiSelect
          label={t('activity.filter.activities')}
          w={300}
          data={activityKinds.map((kind) => ({ value: kind, label: t(activityMessage(kind)) }))}
          placeholder={draft.activities.length === 0 ? t('activity.filter.activities.any') : ''}
          clearable
          clearButtonProps={{ 'aria-label': t('activity.filter.activities.remove') }}
          value={[...draft.activities]}
          onChange={(activities) => onChange({ ...draft, activities })}
        />
      )}
      {hasFilter(draft.report, 'states') && (
        <MultiSelect
          label={t('activity.filter.states')}
          w={300}
          // Two states may have the same badge, so the name is added.
          data={documentStates.states.map((state) => ({
            value: state,
            label: `${t(documentStates.rows[state].badge)} (${state})`,
          }))}
          placeholder={draft.states.length === 0 ? t('activity.filter.states.any') : ''}
          clearable
          clearButtonProps={{ 'aria-label': t('activity.filter.states.remove') }}
          value={[...draft.states]}
          onChange={(states) => onChange({ ...draft, states })}
        />
      )}
      {hasFilter(draft.report, 'run') && <RunFilters draft={draft} onChange={onChange} />}
    </>
  )
}

function RunFilters({ draft, onChange }: HistoryFiltersProps) {
  const t = useWords()
  return (
    <>
      <NumberInput
        label={t('activity.filter.run')}
        w={150}
        min={1}
        allowDecimal={false}
        placeholder={t('activity.filter.run.hint')}
        value={draft.run ?? ''}
        onChange={(value) => onChange({ ...draft, run: typeof value === 'number' && value >= 1 ? value : null })}
      />
      <MultiSelect
        label={t('activity.filter.comparisons')}
        w={300}
        data={comparisons.map((value) => ({ value, label: t(comparisonMessage(value)) }))}
        placeholder={draft.comparisons.length === 0 ? t('activity.filter.comparisons.any') : ''}
        clearable
        clearButtonProps={{ 'aria-label': t('activity.filter.comparisons.remove') }}
        value={[...draft.comparisons]}
        onChange={(chosen) => onChange({ ...draft, comparisons: comparisons.filter((each) => chosen.includes(each)) })}
      />
    </>
  )
}
