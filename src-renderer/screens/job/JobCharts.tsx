/** URLs of a job by HTTP status, media type and reason. */
import { useFormats } from '../../parts/formats.ts'
import type { AnswerCounts, JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { BarTable } from '../../parts/BarTable.tsx'
import { Section } from '../../parts/Section.tsx'
import { useWords } from '../../words/words.tsx'

/** More bars would be a list, and the table of URLs below is one. */
const barsMax = 12

const outcomeTones: Record<JobWhole['byReason'][number]['outcome'], Tone> = {
  fetched: 'done',
  failed: 'failed',
  excluded: 'idle',
}

export function JobCharts({ job }: { job: JobWhole }) {
  const t = useWords()
  const { count, bytes } = useFormats()
  const most = <Row extends { documents: number }>(rows: readonly Row[]) =>
    rows.toSorted((one, other) => other.documents - one.documents).slice(0, barsMax)
  const heads = { amountHead: t('job.documents'), empty: t('job.charts.empty') }
  return (
    <Section title={t('job.charts')}>
      <div className="cards">
        {job.answers && <Answers answers={job.answers} />}
        <BarTable
          title={t('job.byStatus')}
          nameHead={t('job.status')}
          bars={most(job.byStatus).map(({ status, documents }) => ({
            name: status,
            amount: documents,
            text: count(documents),
            tone: statusTone(status),
          }))}
          {...heads}
        />
        <BarTable
          title={t('job.byMediaType')}
          nameHead={t('job.mediaType')}
          bars={most(job.byMediaType).map(({ mediaType, documents, bytes: size }) => ({
            name: mediaType ?? t('activity.unknown'),
            amount: documents,
            text: `${count(documents)} · ${bytes(size)}`,
          }))}
          {...heads}
        />
        <BarTable
          title={t('job.byReason')}
          nameHead={t('job.why')}
          bars={most(job.byReason).map(({ outcome, message, documents }) => ({
            name: t(`outcome.${outcome}.because`, { reason: t(message) }),
            amount: documents,
            text: count(documents),
            tone: outcomeTones[outcome],
          }))}
          {...heads}
          empty={t('job.byReason.empty')}
        />
        {job.byTruncation.length > 0 && (
          <BarTable
            title={t('job.byTruncation')}
            nameHead={t('job.why')}
            bars={most(job.byTruncation).map(({ message, documents }) => ({
              name: t('outcome.truncated.because', { reason: t(message) }),
              amount: documents,
              text: count(documents),
              tone: 'attention',
            }))}
            {...heads}
          />
        )}
      </div>
    </Section>
  )
}

/** 404 is counted separately, so the other client errors exclude it. */
function Answers({ answers }: { answers: AnswerCounts }) {
  const t = useWords()
  const { count } = useFormats()
  const { clientErrors, notFound } = answers
  const rows = { ...answers, clientErrors: clientErrors - notFound }
  return (
    <BarTable
      title={t('job.answers')}
      nameHead={t('job.status')}
      amountHead={t('job.answers.urls')}
      empty={t('job.answers.empty')}
      bars={answerNames
        .filter((name) => rows[name] > 0)
        .map((name) => ({
          name: t(`answers.${name}`),
          amount: rows[name],
          text: count(rows[name]),
          tone: answerTones[name],
        }))}
    />
  )
}

const answerTones: Record<keyof AnswerCounts, Tone> = {
  success: 'done',
  redirects: 'running',
  notFound: 'attention',
  clientErrors: 'attention',
  serverErrors: 'failed',
  other: 'idle',
  none: 'failed',
}
const answerNames = ['success', 'redirects', 'notFound', 'clientErrors', 'serverErrors', 'other', 'none'] as const

/** Classes of RFC 9110, section 15. Other values stay grey. */
function statusTone(status: string): Tone {
  const tones: Record<string, Tone> = { 2: 'done', 3: 'running', 4: 'attention', 5: 'failed' }
  return tones[/^[1-5]\d\d/.exec(status)?.[0][0] ?? ''] ?? 'idle'
}
