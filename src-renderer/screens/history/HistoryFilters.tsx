/** What a report is to be about: only the filters that it has. */
import { Group, MultiSelect, NumberInput, Select, TextInput } from '@mantine/core'
import { documentStates } from '../../../src-main/contract/states/documentStates.ts'
import { activityKinds, historyReportNames } from '../../../src-main/contract/services/history.ts'
import { useWords } from '../../words/words.tsx'
import { areJobsWrong, hasFilter, patternFields, patternWrong, type HistoryDraft } from './historyDraft.ts'

interface HistoryFiltersProps {
  draft: HistoryDraft
  onChange: (draft: HistoryDraft) => void
}

export function HistoryFilters({ draft, onChange }: HistoryFiltersProps) {
  const say = useWords()
  const change = (changes: Partial<HistoryDraft>) => onChange({ ...draft, ...changes })
  return (
    <Group gap="sm" mb="md" align="start">
      <Select
        label={say('activity.report')}
        w={220}
        data={historyReportNames.map((name) => ({ value: name, label: say(`activity.report.${name}`) }))}
        value={draft.report}
        allowDeselect={false}
        onChange={(value) => change({ report: historyReportNames.find((name) => name === value) ?? draft.report })}
      />
      <TextInput
        label={say('activity.filter.jobs')}
        w={220}
        placeholder={say('activity.filter.jobs.hint')}
        value={draft.jobs}
        error={areJobsWrong(draft) && say('activity.filter.jobs.wrong')}
        onChange={(event) => change({ jobs: event.currentTarget.value })}
      />
      {hasFilter(draft.report, 'time') &&
        (['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="datetime-local"
            label={say(`activity.filter.${end}`)}
            w={220}
            value={draft[end]}
            onChange={(event) => change({ [end]: event.currentTarget.value })}
          />
        ))}
      {hasFilter(draft.report, 'window') && (
        <NumberInput
          label={say('activity.filter.window')}
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
        .map((field) => (
          <TextInput
            key={field}
            label={say(`activity.filter.${field}`)}
            w={260}
            placeholder={say('activity.filter.pattern.hint')}
            spellCheck={false}
            value={draft[field]}
            error={patternWrong(draft, field)}
            onChange={(event) => change({ [field]: event.currentTarget.value })}
          />
        ))}
    </Group>
  )
}

function ChosenFilters({ draft, onChange }: HistoryFiltersProps) {
  const say = useWords()
  return (
    <>
      {hasFilter(draft.report, 'activities') && (
        <MultiSelect
          label={say('activity.filter.activities')}
          w={300}
          data={activityKinds.map((kind) => ({ value: kind, label: say(`activity.kind.${kind}`) }))}
          placeholder={draft.activities.length === 0 ? say('activity.filter.activities.any') : ''}
          clearable
          clearButtonProps={{ 'aria-label': say('activity.filter.activities.remove') }}
          value={[...draft.activities]}
          onChange={(activities) => onChange({ ...draft, activities })}
        />
      )}
      {hasFilter(draft.report, 'states') && (
        <MultiSelect
          label={say('activity.filter.states')}
          w={300}
          // Two states may have one badge: the name tells them apart.
          data={documentStates.states.map((state) => ({
            value: state,
            label: `${documentStates.rows[state].badge} (${state})`,
          }))}
          placeholder={draft.states.length === 0 ? say('activity.filter.states.any') : ''}
          clearable
          clearButtonProps={{ 'aria-label': say('activity.filter.states.remove') }}
          value={[...draft.states]}
          onChange={(states) => onChange({ ...draft, states })}
        />
      )}
    </>
  )
}
