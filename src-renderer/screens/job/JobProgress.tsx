/** Progress of a job: counts, speed, and use of each limit. */
import { Stack } from '@mantine/core'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Meter } from '../../parts/Meter.tsx'
import { Section } from '../../parts/Section.tsx'
import { useWords } from '../../words/words.tsx'
import { FindingTotals } from '../findings/FindingTotals.tsx'

export function JobProgress({ job }: { job: JobWhole }) {
  const t = useWords()
  const { count, bytes, duration, perSecond, percent } = useFormats()
  const { documents, definition, answers, progress } = job
  const of = (done: string, total: string) => t('job.of', { done, total })
  return (
    <Section title={t('job.progress')}>
      <div className="card">
        <Facts
          facts={[
            { name: t('job.fetched'), value: count(documents.fetched) },
            ...(answers ? [{ name: t('job.notFound'), value: count(answers.notFound) }] : []),
            { name: t('job.truncated'), value: count(documents.truncated) },
            { name: t('job.failed'), value: count(documents.failed) },
            { name: t('job.excluded'), value: count(documents.excluded) },
            { name: t('job.duplicate'), value: count(documents.duplicate) },
            { name: t('job.queued'), value: count(job.queued) },
            { name: t('jobs.findings'), value: <FindingTotals counts={job.findingCounts} /> },
            { name: t('job.bytes'), value: bytes(job.bytes) },
            { name: t('job.fileBytes'), value: job.fileBytes > 0 ? bytes(job.fileBytes) : '–' },
            { name: t('job.rate'), value: job.documentsPerSecond > 0 ? perSecond(job.documentsPerSecond) : '–' },
            { name: t('job.elapsed'), value: job.started ? duration(job.seconds) : '–' },
            { name: t('job.started'), value: job.started ? timeUtc(job.started) : '–' },
            { name: t('job.ended'), value: job.ended ? timeUtc(job.ended) : '–' },
          ]}
        />
        <Stack gap="sm" mt="md">
          <Meter
            name={t('job.settled')}
            done={progress.done}
            total={progress.total}
            text={`${of(count(progress.done), count(progress.total))} · ${percent(progress.done / Math.max(1, progress.total))}`}
          />
          {definition.maxObjects !== undefined && (
            <Meter
              name={t('form.maxObjects')}
              done={documents.fetched}
              total={definition.maxObjects}
              text={of(count(documents.fetched), count(definition.maxObjects))}
            />
          )}
          {definition.maxBytes !== undefined && (
            <Meter
              name={t('form.maxBytes')}
              done={job.bytes}
              total={definition.maxBytes}
              text={of(bytes(job.bytes), bytes(definition.maxBytes))}
            />
          )}
          {definition.maxSeconds !== undefined && (
            <Meter
              name={t('form.maxSeconds')}
              done={job.seconds}
              total={definition.maxSeconds}
              text={of(duration(job.seconds), duration(definition.maxSeconds))}
            />
          )}
        </Stack>
      </div>
    </Section>
  )
}
