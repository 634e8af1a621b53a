/** One domain: its facts, configurations, seed lists, crawler traps, and what was harvested of it. */
import { Alert, Button, Text } from '@mantine/core'
import { Pencil } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import type { DomainDetails } from '../../../src-main/contract/services/domains.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Section } from '../../parts/Section.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { DomainResults } from '../statistics/DomainResults.tsx'
import { RunsChart } from '../statistics/RunsChart.tsx'
import { Configurations } from './Configurations.tsx'
import { DomainDialog } from './DomainDialog.tsx'
import { SeedLists } from './SeedLists.tsx'

export function DomainScreen({ domain }: { domain: string }) {
  const t = useWords()
  const { services } = useSession()
  const [details, reload] = useLoaded(useCallback(() => services.domains.show({ domain }), [services, domain]))
  useChanges(services.domains.changed, reload)
  return (
    <>
      <a className="dimmed" href={hrefOf({ place: 'harvests', tab: 'domains' })}>
        {t('domains.all')}
      </a>
      <Await of={details} onRetry={reload}>
        {(value) => <Details details={value} onChanged={reload} />}
      </Await>
    </>
  )
}

function Details({ details, onChanged }: { details: DomainDetails; onChanged: () => void }) {
  const t = useWords()
  const [isEditing, setEditing] = useState(false)
  const { domain, comments, alias, aliases, traps, fields, harvests, added } = details
  const names = (list: readonly string[]) => (list.length === 0 ? '–' : list.join(', '))
  return (
    <>
      <PageHead
        title={domain}
        actions={
          <>
            <Button
              component="a"
              variant="default"
              href={hrefOf({ place: 'harvests', tab: 'jobs', filter: `domain=${encodeURIComponent(domain)}` })}
            >
              {t('domains.jobs')}
            </Button>
            <Button
              component="a"
              variant="default"
              href={hrefOf({ place: 'archive', tab: 'growth', filter: `domain=${encodeURIComponent(domain)}` })}
            >
              {t('growth.ofDomain')}
            </Button>
            <ActionButton
              needs="domains.edit"
              leftSection={<Pencil size={16} aria-hidden />}
              onClick={() => setEditing(true)}
            >
              {t('domains.edit')}
            </ActionButton>
          </>
        }
      />
      {comments !== '' && <Text mb="md">{comments}</Text>}
      {alias && (
        <Alert color="blue" mb="md">
          {t('domains.isAlias', { of: alias.of, expires: timeUtc(alias.expires) })}
        </Alert>
      )}
      <div className="card">
        <Facts
          facts={[
            { name: t('domains.added'), value: timeUtc(added) },
            { name: t('domains.usedBy'), value: names(harvests) },
            { name: t('domains.aliasesOf'), value: names(aliases) },
            ...Object.entries(fields).map(([name, value]) => ({ name, value: String(value) })),
          ]}
        />
      </div>
      <Configurations details={details} onChanged={onChanged} />
      <SeedLists details={details} onChanged={onChanged} />
      <Section title={t('domains.traps')}>
        {traps.length === 0 ? (
          <Text c="dimmed">{t('domains.traps.none')}</Text>
        ) : (
          <ul className="mono">
            {traps.map((pattern) => (
              <li key={pattern}>{pattern}</li>
            ))}
          </ul>
        )}
      </Section>
      <Past domain={domain} />
      <DomainDialog details={isEditing ? details : null} onChanged={onChanged} onClose={() => setEditing(false)} />
    </>
  )
}

/** Results that the chart compares. */
const chartRows = 24

function Past({ domain }: { domain: string }) {
  const t = useWords()
  const { services } = useSession()
  const fetchPage = useMemo(
    () => (page: { offset: number; limit: number }) => services.harvestStatistics.ofDomain({ domain, ...page }),
    [services, domain],
  )
  const [newest, reload] = useLoaded(useCallback(() => fetchPage({ offset: 0, limit: chartRows }), [fetchPage]))
  useChanges(services.harvestStatistics.counted, reload)
  return (
    <Section title={t('domains.past')}>
      <DomainResults of="domain" fetchPage={fetchPage} />
      <div className="section">
        <RunsChart
          runs={(valueOf(newest)?.rows ?? []).map(({ job, at, objects, bytes }) => ({
            ...{ name: t('domains.bar', { job, day: at.slice(0, 10) }), objects, bytes },
          }))}
        />
      </div>
    </Section>
  )
}
