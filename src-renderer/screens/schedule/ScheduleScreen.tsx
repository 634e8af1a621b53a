/** Jobs with their schedules in words, and the upcoming runs of all of them. */
import { Text } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { JobSchedule } from '../../../src-main/contract/services/schedule.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { Section } from '../../parts/Section.tsx'
import { makeSchedules } from '../../state/schedules.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { localZone } from './localTimes.ts'
import { RunTable, type PlannedRun } from './RunTable.tsx'
import { ScheduleDialog } from './ScheduleDialog.tsx'
import { ScheduleTable } from './ScheduleTable.tsx'

const runsShown = 10

export function ScheduleScreen() {
  const t = useWords()
  const { services, dialogs } = useSession()
  const store = useMemo(() => makeSchedules(services), [services])
  const { jobs, load, set } = useStore(store)
  const [changed, setChanged] = useState<JobSchedule | null>(null)
  useEffect(() => {
    store.open()
    return () => store.close()
  }, [store])
  return (
    <>
      <PageHead
        title={t('schedule.title')}
        actions={
          <ActionButton
            needs="harvests.create"
            leftSection={<Plus size={16} aria-hidden />}
            onClick={() => dialogs.getState().show('harvest')}
          >
            {t('schedule.new')}
          </ActionButton>
        }
      />
      <Text maw="75ch" mb="md">
        {t('schedule.text')}
      </Text>
      <Await of={jobs} onRetry={() => void load()}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title={t('schedule.none')} text={t('schedule.none.text')} />
          ) : (
            <>
              <ScheduleTable jobs={scheduledFirst(list)} onChange={setChanged} />
              <NextRuns jobs={list} />
            </>
          )
        }
      </Await>
      <ScheduleDialog job={changed} onSave={set} onClose={() => setChanged(null)} />
    </>
  )
}

function NextRuns({ jobs }: { jobs: readonly JobSchedule[] }) {
  const t = useWords()
  const runs = useMemo(() => plannedOf(jobs), [jobs])
  return (
    <Section title={t('schedule.nextRuns')}>
      <Text size="sm" c="dimmed" mb="xs">
        {runs.length === 0 ? t('schedule.nextRuns.none') : t('schedule.nextRuns.zone', { zone: localZone() })}
      </Text>
      <RunTable label={t('schedule.nextRuns')} runs={runs} />
    </Section>
  )
}

/** Order of the jobs: first those that run next, last those without a schedule. */
function scheduledFirst(jobs: readonly JobSchedule[]): JobSchedule[] {
  const rank = ({ schedule, next: [first] }: JobSchedule) =>
    first ? Date.parse(first.begin) : schedule === null ? Number.MAX_VALUE : Number.MAX_SAFE_INTEGER
  return jobs.toSorted((one, other) => rank(one) - rank(other) || other.job - one.job)
}

function plannedOf(jobs: readonly JobSchedule[]): PlannedRun[] {
  return jobs
    .flatMap(({ job, harvest, next }) => next.map((window) => ({ ...window, of: { job, harvest } })))
    .toSorted((one, other) => one.begin.localeCompare(other.begin))
    .slice(0, runsShown)
}
