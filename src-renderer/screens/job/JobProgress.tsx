/** How far a job is: what is done, what waits, how fast, and how much of each limit is used. */
import { Stack } from '@mantine/core'
import type { JobWhole } from '../../../src-main/contract/contract.ts'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Meter } from '../../parts/Meter.tsx'
import { Section } from '../../parts/Section.tsx'
import { useWords } from '../../words/words.tsx'
import { FindingTotals } from '../findings/FindingTotals.tsx'

export function JobProgress({ job }: { job: JobWhole }) {
  const say = useWords()
  const { count, bytes, duration, perSecond, percent } = useFormats()
  const { documents, definition, answers, progress } = job
  const of = (done: string, total: string) => say('job.of', { done, total })
  return (
    <Section title={say('job.progress')}>
      <div className="card">
        <Facts
          facts={[
            { name: say('job.fetched'), value: count(documents.fetched) },
            ...(answers ? [{ name: say('job.notFound'), value: count(answers.notFound) }] : []),
            { name: say('job.truncated'), value: count(documents.truncated) },
            { name: say('job.failed'), value: count(documents.failed) },
            { name: say('job.excluded'), value: count(documents.excluded) },
            { name: say('job.duplicate'), value: count(documents.duplicate) },
            { name: say('job.queued'), value: count(job.queued) },
            { name: say('jobs.findings'), value: <FindingTotals counts={job.findingCounts} /> },
            { name: say('job.bytes'), value: bytes(job.bytes) },
            { name: say('job.fileBytes'), value: job.fileBytes > 0 ? bytes(job.fileBytes) : '–' },
            { name: say('job.rate'), value: job.documentsPerSecond > 0 ? perSecond(job.documentsPerSecond) : '–' },
            { name: say('job.elapsed'), value: job.started ? duration(job.seconds) : '–' },
            { name: say('job.started'), value: job.started ? timeUtc(job.started) : '–' },
            { name: say('job.ended'), value: job.ended ? timeUtc(job.ended) : '–' },
          ]}
        />
        <Stack gap="sm" mt="md">
          <Meter
            name={say('job.settled')}
            done={progress.done}
            total={progress.total}
            text={`${of(count(progress.done), count(progress.total))} · ${percent(progress.done / Math.max(1, progress.total))}`}
          />
          {definition.maxObjects !== undefined && (
            <Meter
              name={say('form.maxObjects')}
              done={documents.fetched}
              total={definition.maxObjects}
              text={of(count(documents.fetched), count(definition.maxObjects))}
            />
          )}
          {definition.maxBytes !== undefined && (
            <Meter
              name={say('form.maxBytes')}
              done={job.bytes}
              total={definition.maxBytes}
              text={of(bytes(job.bytes), bytes(definition.maxBytes))}
            />
          )}
          {definition.maxSeconds !== undefined && (
            <Meter
              name={say('form.maxSeconds')}
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
