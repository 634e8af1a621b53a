/** On the page of a job: the harvest that generated it, why its configurations are together, and its results per domain. A job that no
 *  harvest generated shows its results only, once there are some. */
import { useCallback, useMemo } from 'react'
import type { GeneratedJobRow } from '../../../src-main/contract/services/generatedJobs.ts'
import { Facts } from '../../parts/Facts.tsx'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { DomainResults } from '../statistics/DomainResults.tsx'
import { GeneratedErrors } from './GeneratedErrors.tsx'
import { GeneratedStatusBadge } from './GeneratedStatusBadge.tsx'
import { SplitExplanation } from './SplitExplanation.tsx'

export function JobHarvest({ job }: { job: number }) {
  const t = useWords()
  const { services } = useSession()
  const [generated, reload] = useLoaded(useCallback(() => services.generatedJobs.show({ job }), [services, job]))
  useChanges(services.jobs.changed, reload)
  const known = valueOf(generated)
  return (
    <>
      {known && (
        <Section title={t('generated.section')}>
          <GeneratedFacts row={known} />
          <FoldedPart title={t('generated.explain')} text={t('generated.explain.text')}>
            <SplitExplanation job={job} />
          </FoldedPart>
        </Section>
      )}
      <JobResults job={job} isGenerated={known !== undefined} />
    </>
  )
}

function JobResults({ job, isGenerated }: { job: number; isGenerated: boolean }) {
  const t = useWords()
  const { services } = useSession()
  const fetchPage = useMemo(
    () => (page: { offset: number; limit: number }) => services.harvestStatistics.ofJob({ job, ...page }),
    [services, job],
  )
  const [first, reload] = useLoaded(useCallback(() => fetchPage({ offset: 0, limit: 1 }), [fetchPage]))
  useChanges(services.harvestStatistics.counted, reload)
  if (!isGenerated && (valueOf(first)?.total ?? 0) === 0) return null
  return (
    <Section title={t('statistics.results')}>
      <DomainResults of="job" fetchPage={fetchPage} />
    </Section>
  )
}

function GeneratedFacts({ row }: { row: GeneratedJobRow }) {
  const t = useWords()
  const { count } = useFormats()
  const { harvest, harvestName, run, status, template, templateVersion: version } = row
  const jobLink = (job: number) => <a href={hrefOf({ place: 'job', job })}>{job}</a>
  const facts = [
    { name: t('statistics.harvest'), value: <a href={hrefOf({ place: 'harvest', harvest })}>{harvestName}</a> },
    { name: t('statistics.run'), value: run },
    { name: t('generated.status'), value: <GeneratedStatusBadge status={status} /> },
    {
      name: t('generated.template'),
      value: (
        <a href={hrefOf({ place: 'template', template })}>{t('generated.template.version', { template, version })}</a>
      ),
    },
    { name: t('generated.channel'), value: row.channel },
    { name: t('generated.configurations'), value: count(row.configurations) },
    { name: t('generated.expected'), value: count(row.objectsExpected) },
    { name: t('generated.created'), value: timeUtc(row.created) },
    ...(row.submitted === null ? [] : [{ name: t('generated.submitted'), value: timeUtc(row.submitted) }]),
    ...(row.resubmittedAs === null ? [] : [{ name: t('generated.resubmitted'), value: jobLink(row.resubmittedAs) }]),
    ...(row.continuationOf === null ? [] : [{ name: t('generated.continues'), value: jobLink(row.continuationOf) }]),
  ]
  return (
    <div className="card">
      <Facts facts={facts} />
      {(row.harvestError ?? row.uploadError) && <GeneratedErrors row={row} />}
    </div>
  )
}
