/** Links to the reports on a job in the history. */
import { Group } from '@mantine/core'
import { Section } from '../../parts/Section.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'

const reports = ['hosts', 'mediaTypes', 'statuses', 'seeds', 'changes', 'history', 'queue'] as const

export function JobReports({ job }: { job: number }) {
  const t = useWords()
  return (
    <Section title={t('job.reports')}>
      <Group gap="lg">
        {reports.map((report) => (
          <a key={report} href={hrefOf({ place: 'history', filter: `report=${report}&jobs=${job}` })}>
            {t(`activity.report.${report}`)}
          </a>
        ))}
      </Group>
    </Section>
  )
}
