/** How URLs are compared, and in which jobs they are searched. */
import { Group, MultiSelect, Select } from '@mantine/core'
import { urlMatches } from '../../../src-main/contract/services/search.ts'
import { valueOf } from '../../state/loaded.ts'
import { useWords } from '../../words/words.tsx'
import { useSelectable } from '../selection/useSelectable.ts'
import styles from './search.module.css'
import type { SearchPlace } from './searchPlace.ts'

interface UrlFiltersProps {
  place: SearchPlace
  onChange: (changes: Partial<SearchPlace>) => void
}

export function UrlFilters({ place: { match, jobs }, onChange }: UrlFiltersProps) {
  const t = useWords()
  const [selectable] = useSelectable()
  const { ended = [], deleted = [] } = valueOf(selectable) ?? {}
  return (
    <Group className={styles.urlFilters} gap="sm" align="flex-start">
      <Select
        label={t('search.match')}
        w={220}
        data={urlMatches.map((one) => ({ value: one, label: t(`search.match.${one}`) }))}
        value={match}
        allowDeselect={false}
        onChange={(value) => onChange({ match: urlMatches.find((one) => one === value) ?? match })}
      />
      <MultiSelect
        label={t('search.jobs')}
        flex={1}
        miw={260}
        placeholder={jobs.length === 0 ? t('search.jobs.all') : ''}
        data={[
          ...ended.map(({ job, harvest }) => ({
            value: String(job),
            label: t('quickOpen.job', { job, name: harvest }),
          })),
          ...deleted.map(({ job }) => ({ value: String(job), label: t('search.job', { job }) })),
        ]}
        value={jobs.map(String)}
        onChange={(values) => onChange({ jobs: values.map(Number) })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('chooser.clear') }}
      />
    </Group>
  )
}
