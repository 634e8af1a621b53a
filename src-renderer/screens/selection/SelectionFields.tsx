/** Fields for selecting archived files, for a view or an export: jobs, including deleted ones, files by name, or everything. */
import { MultiSelect, Radio, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useCallback, useState } from 'react'
import type { WholeSelection } from '../../../src-main/contract/shapes/selection.ts'
import { timeUtc } from '../../parts/formats.ts'
import { typingPauseMs } from '../../parts/typing.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import type { Selectable } from './useSelectable.ts'

interface SelectionFieldsProps {
  selectable: Selectable
  selection: WholeSelection
  onChange: (change: Partial<WholeSelection>) => void
  /** Explains the use of the selected jobs. */
  jobsHint: string
  /** Whether the jobs are the first field of a dialog. */
  isFirst?: boolean
  /** Properties that the form adds to a control: its name and its error. */
  control: (field: SelectionField) => object
}

export type SelectionField = 'jobs' | 'files'

export function SelectionFields(props: SelectionFieldsProps) {
  const { selectable, selection, onChange, jobsHint, isFirst = false, control } = props
  const t = useWords()
  const { ended, deleted } = selectable
  const { jobs, files, all } = selection
  return (
    <Stack>
      <Radio.Group
        label={t('selection.which')}
        value={all ? 'all' : 'some'}
        onChange={(value) => onChange({ all: value === 'all' })}
      >
        <Stack gap="xs" mt={6}>
          <Radio value="some" label={t('selection.some')} />
          <Radio value="all" label={t('selection.all')} description={t('selection.all.meaning')} />
        </Stack>
      </Radio.Group>
      {!all && (
        <>
          <MultiSelect
            {...control('jobs')}
            label={t('chooser.jobs')}
            description={jobsHint}
            data={[
              ...ended.map(({ job, harvest, ended: time }) => ({
                value: String(job),
                label: t('chooser.job', { job, name: harvest, ended: time ? timeUtc(time).slice(0, 10) : '' }),
              })),
              ...deleted.map(({ job, name, files: count }) => ({
                value: String(job),
                label: t('chooser.job.deleted', { job, name: name ?? t('deletedJob.noName'), count }),
              })),
            ]}
            value={jobs.map(String)}
            onChange={(values) => onChange({ jobs: values.map(Number) })}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('chooser.clear') }}
            openOnFocus={false}
            data-autofocus={isFirst}
          />
          <FilesField files={files} onChange={(names) => onChange({ files: names })} control={control('files')} />
        </>
      )}
    </Stack>
  )
}

/** Number of file names offered while the user types. */
const offeredMax = 20

interface FilesFieldProps {
  files: readonly string[]
  onChange: (files: string[]) => void
  control: object
}

function FilesField({ files, onChange, control }: FilesFieldProps) {
  const t = useWords()
  const { services } = useSession()
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), typingPauseMs)
  const [found] = useLoaded(useCallback(() => services.archive.files({ text, limit: offeredMax }), [services, text]))
  const names = valueOf(found)?.rows.map(({ name }) => name) ?? []
  return (
    <MultiSelect
      {...control}
      label={t('selection.byName')}
      description={t('selection.byName.hint')}
      data={[...new Set([...files, ...names])]}
      value={[...files]}
      onChange={onChange}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // The engine has chosen and sorted the names; the field must not filter them again.
      filter={({ options }) => options}
      nothingFoundMessage={t('selection.byName.none')}
      hidePickedOptions
      clearable
      clearButtonProps={{ 'aria-label': t('selection.byName.clear') }}
      openOnFocus={false}
    />
  )
}
