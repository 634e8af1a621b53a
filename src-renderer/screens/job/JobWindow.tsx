/** When the job runs by itself, and what it waits for. */
import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { JobWhole } from '../../../src-main/contract/contract.ts'
import type { JobSchedule } from '../../../src-main/contract/schedule.ts'
import { Await } from '../../parts/Await.tsx'
import { Section } from '../../parts/Section.tsx'
import { loadedFrom, loading, type Loaded } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../routes.ts'
import { scheduleText } from '../schedule/ScheduleTable.tsx'

export function JobWindow({ job: { job, state } }: { job: JobWhole }) {
  const say = useWords()
  const { services } = useSession()
  const [schedule, setSchedule] = useState<Loaded<JobSchedule>>(loading)
  const [asked, setAsked] = useState(0)
  // Each move of the job may be one into its window or out of it.
  useEffect(() => {
    let isWanted = true
    void loadedFrom(services.schedules.show({ job })).then((answer) => isWanted && setSchedule(answer))
    return () => {
      isWanted = false
    }
  }, [services, job, state, asked])
  return (
    <Section
      title={say('job.schedule')}
      actions={<a href={hrefOf({ place: 'schedule' })}>{say('job.schedule.change')}</a>}
    >
      <Await of={schedule} onRetry={() => setAsked(asked + 1)}>
        {(known) => (
          <div className="card">
            <Text>{known.schedule === null ? say('job.schedule.none') : scheduleText(say, known)}</Text>
            <Text c="dimmed">{known.standing}</Text>
          </div>
        )}
      </Await>
    </Section>
  )
}
