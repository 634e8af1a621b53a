/** The configurations of a harvest: which domains it harvests, and how. */
import { useEffect, useMemo } from 'react'
import type { ConfigurationName } from '../../../src-main/contract/services/harvestDefinitions.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FilteredPages } from '../../parts/FilteredPages.tsx'
import { Section } from '../../parts/Section.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { hrefOf } from '../../routes/routes.ts'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

export function HarvestConfigurations({ harvest }: { harvest: number }) {
  const t = useWords()
  const { services } = useSession()
  const fetchPage = useMemo(
    () => (page: { offset: number; limit: number }) => services.harvestDefinitions.configurations({ harvest, ...page }),
    [services, harvest],
  )
  const pages = useMemo(() => makePages(fetchPage), [fetchPage])
  useEffect(() => pages.getState().refresh(), [pages])
  useChanges(services.harvestDefinitions.changed, () => pages.getState().refresh())
  const columns = useMemo(
    (): Column<ConfigurationName>[] => [
      {
        ...{ id: 'domain', head: t('statistics.domain') },
        value: ({ domain }) => domain,
        cell: ({ domain }) => <a href={hrefOf({ place: 'domain', domain })}>{domain}</a>,
      },
      { id: 'configuration', head: t('statistics.configuration'), value: ({ configuration }) => configuration },
    ],
    [t],
  )
  return (
    <Section title={t('domains.configurations')}>
      <FilteredPages
        label={t('domains.configurations')}
        columns={columns}
        pages={pages}
        fetchPage={fetchPage}
        heightMax={320}
        empty={<EmptyState title={t('harvests.noDomains')} text={t('harvests.noDomains.text')} />}
      />
    </Section>
  )
}
