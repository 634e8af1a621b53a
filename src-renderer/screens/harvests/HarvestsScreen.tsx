/** Harvests as an institution runs them, a tab for each part: harvests, domains, schedules, templates, traps and fields, jobs, statistics. */
import type { ComponentType } from 'react'
import { PageHead } from '../../parts/PageHead.tsx'
import { hrefOf, type HarvestTab } from '../../routes/routes.ts'
import { useWords, type WordId } from '../../words/words.tsx'
import { DomainsTab } from '../domains/DomainsTab.tsx'
import { GeneratedJobs } from '../generated/GeneratedJobs.tsx'
import { HarvestSchedules } from '../harvestSchedules/HarvestSchedules.tsx'
import { LatestRuns } from '../statistics/LatestRuns.tsx'
import { TemplatesTab } from '../templates/TemplatesTab.tsx'
import { HarvestsTab } from './HarvestsTab.tsx'
import { TrapsTab } from './TrapsTab.tsx'

const tabs: { tab: HarvestTab; name: WordId; Part: ComponentType<{ filter: string }> }[] = [
  { tab: 'harvests', name: 'harvests.tab.harvests', Part: HarvestsTab },
  { tab: 'domains', name: 'harvests.tab.domains', Part: DomainsTab },
  { tab: 'schedules', name: 'harvests.tab.schedules', Part: HarvestSchedules },
  { tab: 'templates', name: 'harvests.tab.templates', Part: TemplatesTab },
  { tab: 'traps', name: 'harvests.tab.traps', Part: TrapsTab },
  { tab: 'jobs', name: 'harvests.tab.jobs', Part: GeneratedJobs },
  { tab: 'statistics', name: 'harvests.tab.statistics', Part: LatestRuns },
]

/** `filter`: of the URL, for tabs that have filters. */
export function HarvestsScreen({ tab, filter = '' }: { tab: HarvestTab; filter?: string | undefined }) {
  const t = useWords()
  const Part = tabs.find((row) => row.tab === tab)?.Part ?? HarvestsTab
  return (
    <>
      <PageHead title={t('harvests.title')} />
      <nav className="tabs" aria-label={t('harvests.tabs')}>
        {tabs.map((row) => (
          <a
            key={row.tab}
            href={hrefOf({ place: 'harvests', tab: row.tab })}
            aria-current={row.tab === tab ? 'page' : undefined}
          >
            {t(row.name)}
          </a>
        ))}
      </nav>
      <Part filter={filter} />
    </>
  )
}
