/** Jobs that harvests generated, by status, harvest, run, domain and number, and what users decide about failed ones. */
import { Button, Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { FilterX } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { GeneratedJobRow } from '../../../src-main/contract/services/generatedJobs.ts'
import { generatedLabel, generatedStatuses } from '../../../src-main/contract/states/generatedStatuses.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FilteredPages } from '../../parts/FilteredPages.tsx'
import { useRowSelection } from '../../parts/rowSelection.tsx'
import { typingPauseMs } from '../../parts/typing.ts'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { goTo } from '../../routes/routes.ts'
import { valueOf } from '../../state/loaded.ts'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { GeneratedActions } from './GeneratedActions.tsx'
import { useGeneratedColumns } from './generatedColumns.tsx'
import { askedOf, filterOf, queryOf, type GeneratedFilter } from './generatedFilter.ts'

/** `filter`: of the URL, which follows what is typed. */
export function GeneratedJobs({ filter: query }: { filter: string }) {
  const t = useWords()
  const { services } = useSession()
  const filter = useMemo(() => filterOf(query), [query])
  const [settled] = useDebouncedValue(query, typingPauseMs)
  const fetchPage = useCallback(
    (page: { offset: number; limit: number }) =>
      services.generatedJobs.list({ ...askedOf(filterOf(settled)), ...page }),
    [services, settled],
  )
  const pages = useMemo(() => makePages(fetchPage), [fetchPage])
  useEffect(() => pages.getState().refresh(), [pages])
  useChanges(services.jobs.changed, () => pages.getState().refresh())
  const selection = useRowSelection(numberOf, ({ job }) => t('generated.select', { job }))
  return (
    <>
      <Filters filter={filter} />
      <FilteredPages
        label={t('generated.title')}
        columns={useGeneratedColumns()}
        pages={pages}
        fetchPage={fetchPage}
        selection={selection}
        actions={<GeneratedActions pages={pages} selection={selection} />}
        empty={<EmptyState title={t('generated.none')} text={t('generated.none.text')} />}
      />
    </>
  )
}

function numberOf({ job }: GeneratedJobRow): number {
  return job
}

function Filters({ filter }: { filter: GeneratedFilter }) {
  const t = useWords()
  const { services } = useSession()
  const [harvests] = useLoaded(useCallback(() => services.harvestDefinitions.list({}), [services]))
  const [domain, setDomain] = useState(filter.domain)
  const change = (changes: Partial<GeneratedFilter>) =>
    goTo({ place: 'harvests', tab: 'jobs', filter: queryOf({ ...filter, ...changes }) }, 'replace')
  const number = (name: 'run' | 'from' | 'to') => (
    <NumberInput
      label={t(`generated.filter.${name}`)}
      w={110}
      min={1}
      allowDecimal={false}
      hideControls
      value={filter[name]}
      onChange={(value) => change({ [name]: typeof value === 'number' && value > 0 ? value : '' })}
    />
  )
  return (
    <Group gap="sm" mb="md" align="end">
      <Select
        label={t('generated.filter.status')}
        w={180}
        clearable
        placeholder={t('generated.filter.any')}
        data={generatedStatuses.map((status) => ({ value: status, label: t(generatedLabel(status)) }))}
        value={filter.status || null}
        onChange={(value) => change({ status: generatedStatuses.find((status) => status === value) ?? '' })}
      />
      <Select
        label={t('generated.filter.harvest')}
        w={260}
        clearable
        searchable
        placeholder={t('generated.filter.any')}
        data={(valueOf(harvests) ?? []).map(({ harvest, name }) => ({ value: String(harvest), label: name }))}
        value={filter.harvest === '' ? null : String(filter.harvest)}
        onChange={(value) => change({ harvest: value === null ? '' : Number(value) })}
      />
      {number('run')}
      <TextInput
        label={t('generated.filter.domain')}
        w={220}
        spellCheck={false}
        value={domain}
        onChange={(event) => {
          setDomain(event.currentTarget.value)
          change({ domain: event.currentTarget.value.trim() })
        }}
      />
      {number('from')}
      {number('to')}
      {queryOf(filter) !== '' && (
        <Button
          variant="subtle"
          leftSection={<FilterX size={16} aria-hidden />}
          onClick={() => {
            setDomain('')
            goTo({ place: 'harvests', tab: 'jobs' }, 'replace')
          }}
        >
          {t('generated.filter.clear')}
        </Button>
      )}
    </Group>
  )
}
