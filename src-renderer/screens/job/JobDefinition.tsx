/** The current definition of a job. */
import { Alert } from '@mantine/core'
import { Info } from 'lucide-react'
import { useMemo } from 'react'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import type { JobSchedule } from '../../../src-main/contract/services/schedule.ts'
import { Facts } from '../../parts/Facts.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { valueOf, type Loaded } from '../../state/loaded.ts'
import { useWords } from '../../words/words.tsx'
import { scheduleText } from '../schedule/ScheduleTable.tsx'
import { definitionFacts } from './definitionFacts.ts'
import styles from './job.module.css'

interface JobDefinitionProps {
  job: JobWhole
  schedule: Loaded<JobSchedule>
}

export function JobDefinition({ job: { definition, ranWith }, schedule }: JobDefinitionProps) {
  const t = useWords()
  const formats = useFormats()
  const known = valueOf(schedule)
  const groups = useMemo(
    () => definitionFacts({ t, formats }, definition, known && scheduleText(t, known)),
    [t, formats, definition, known],
  )
  return (
    <Section title={t('job.definition')}>
      {ranWith && (
        <Alert color="blue" icon={<Info aria-hidden />} mb="sm">
          {t('job.definition.changed')}
        </Alert>
      )}
      <div className={`card ${styles.definition}`}>
        {groups.map(({ title, facts }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <Facts facts={facts} />
          </section>
        ))}
        <p className="dimmed">{t('definition.rest')}</p>
      </div>
    </Section>
  )
}
