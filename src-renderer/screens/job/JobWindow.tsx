/** The schedule of a job, and what it waits for. */
import { Text } from '@mantine/core'
import type { JobSchedule } from '../../../src-main/contract/services/schedule.ts'
import { Await } from '../../parts/Await.tsx'
import { Section } from '../../parts/Section.tsx'
import { valueOf, type Loaded } from '../../state/loaded.ts'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { scheduleText } from '../schedule/ScheduleTable.tsx'

interface JobWindowProps {
  schedule: Loaded<JobSchedule>
  load: () => Promise<void>
}

export function JobWindow({ schedule, load }: JobWindowProps) {
  const t = useWords()
  const isScheduled = valueOf(schedule)?.schedule !== null
  return (
    <Section
      title={t('job.schedule')}
      actions={
        <a href={hrefOf({ place: 'schedule' })}>{t(isScheduled ? 'job.schedule.change' : 'job.schedule.add')}</a>
      }
    >
      <Await of={schedule} onRetry={() => void load()}>
        {(known) => (
          <div className="card">
            <Text>{known.schedule === null ? t('job.schedule.none') : scheduleText(t, known)}</Text>
            <Text c="dimmed">{t(known.doing)}</Text>
          </div>
        )}
      </Await>
    </Section>
  )
}
