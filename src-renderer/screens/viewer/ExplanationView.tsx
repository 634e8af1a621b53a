/** An explanation from its result to its reasons: what answered, by which rules, from which captures, with which headers; and for a miss,
 *  what the jobs recorded and where the URL could be captured. */
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { truncationMessage } from '../../../src-main/contract/states/outcomes.ts'
import type { Explanation } from '../../../src-main/contract/services/viewer.ts'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { pairedFields } from './pairedFields.ts'
import { TruncatedBadge } from './TruncatedBadge.tsx'
import { useJobText } from './useJobText.ts'
import styles from './viewer.module.css'

interface ExplanationViewProps {
  explanation: Explanation
  /** Called when another page or screen is shown. */
  onClose: () => void
}

export function ExplanationView({ explanation, onClose }: ExplanationViewProps) {
  return (
    <article className="explanation" aria-label={explanation.url}>
      <Result explanation={explanation} />
      <Reasons explanation={explanation} />
      <Elsewhere explanation={explanation} onClose={onClose} />
      <Rules explanation={explanation} />
      <Candidates explanation={explanation} />
      <Hops explanation={explanation} />
      <Steps explanation={explanation} />
      <Headers explanation={explanation} />
    </article>
  )
}

interface ExplanationProps {
  explanation: Explanation
}

function Result({ explanation: { url, method, key, answeredBy, sent, truncated, archived } }: ExplanationProps) {
  const t = useWords()
  return (
    <header>
      <p className={`wrap ${styles.explainUrl}`}>{url}</p>
      <p className={styles.explainResult}>
        <ToneBadge
          tone={archived ? (sent.status < 400 ? 'done' : 'attention') : 'failed'}
          text={`${sent.status} ${sent.reason}`.trim()}
        />
        {truncated && <TruncatedBadge truncated={truncated} text={t('viewer.truncated')} />}
        <strong>{archived ? t('explain.found', { link: t(`link.${answeredBy}`) }) : t('explain.missing')}</strong>
      </p>
      <div className="facts-stacked">
        <Facts
          facts={[
            { name: t('explain.key'), value: <span className="mono">{key}</span> },
            { name: t('explain.method'), value: method },
            ...(truncated === null ? [] : [{ name: t('explain.truncated'), value: t(truncationMessage(truncated)) }]),
          ]}
        />
      </div>
    </header>
  )
}

function Reasons({ explanation: { reasons } }: ExplanationProps) {
  const t = useWords()
  if (reasons.length === 0) return null
  return (
    <Section title={t('explain.reasons')}>
      <ul className={styles.plainList}>
        {reasons.map(({ job, message }) => (
          <li key={job ?? ''}>
            {job !== null && (
              <>
                <a href={hrefOf({ place: 'job', job })}>{t('viewer.jobs', { count: 1, jobs: job })}</a>
                {': '}
              </>
            )}
            {t(message)}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Captures outside the view, each with a button that adds its job or file to the view, or moves the view to its time. */
function Elsewhere({ explanation: { elsewhere, url }, onClose }: ExplanationViewProps) {
  const t = useWords()
  const { view: store } = useSession()
  const { open, choice, isViewed } = useStore(store)
  if (elsewhere.length === 0) return null

  function show(capture: Row): void {
    const present = choice()
    if (!present) return
    const { jobs = [], files = [] } = present
    const { job, file, captured } = capture
    onClose()
    if (isViewed(capture)) void open({ ...present, at: captured, url })
    else if (job === null) void open({ ...present, files: [...files, file], url })
    else void open({ ...present, jobs: [...jobs, job], url })
  }

  function actionWords(capture: Row): string {
    const { job, file, captured } = capture
    if (isViewed(capture)) return t('explain.showAt', { time: timeUtc(captured) })
    return job === null ? t('explain.addFile', { file }) : t('explain.addJob', { job })
  }

  return (
    <Section title={t('explain.elsewhere')}>
      <ul className={styles.plainList}>
        {elsewhere.map((capture) => (
          <li key={placeOf(capture)} className={styles.explainRow}>
            <CaptureLine capture={capture} t={t} />
            <Button size="xs" variant="default" onClick={() => show(capture)}>
              {actionWords(capture)}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Rules({ explanation: { inexact } }: ExplanationProps) {
  const t = useWords()
  if (inexact.length === 0) return null
  return (
    <Section title={t('explain.rules')}>
      <ul className={styles.plainList}>
        {inexact.map(({ rule, meaning }) => (
          <li key={rule}>
            {t(meaning)} <span className="dimmed mono">{rule}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Candidates({ explanation: { candidates } }: ExplanationProps) {
  const t = useWords()
  const { distance } = useFormats()
  return (
    <Section title={t('explain.candidates')}>
      {candidates.length === 0 && <p className={`dimmed ${styles.plainText}`}>{t('explain.candidates.none')}</p>}
      <ul className={styles.plainList} aria-label={t('explain.candidates')}>
        {candidates.map((candidate) => {
          const { distanceMs, captured } = candidate
          const apart =
            distanceMs === null ? '' : distance(captured, new Date(Date.parse(captured) - distanceMs).toISOString())
          return (
            <TriedRow key={placeOf(candidate)} tried={candidate} t={t}>
              {apart !== '' && <span className="dimmed">{apart}</span>}
            </TriedRow>
          )
        })}
      </ul>
    </Section>
  )
}

function Hops({ explanation: { revisitHops } }: ExplanationProps) {
  const t = useWords()
  if (revisitHops.length === 0) return null
  return (
    <Section title={t('explain.hops')}>
      <ol className={styles.plainList} aria-label={t('explain.hops')}>
        {revisitHops.map((hop) => (
          <TriedRow key={placeOf(hop)} tried={hop} t={t} />
        ))}
      </ol>
    </Section>
  )
}

interface TriedRowProps {
  tried: Explanation['revisitHops'][number]
  t: Translate
  children?: ReactNode
}

/** A capture that was considered, and the result. */
function TriedRow({ tried, t, children }: TriedRowProps) {
  const { isUsed, why } = tried
  return (
    <li>
      <span className={styles.explainRow}>
        <ToneBadge
          tone={isUsed ? 'done' : why === null ? 'idle' : 'attention'}
          text={t(isUsed ? 'explain.used' : why === null ? 'explain.notNeeded' : 'explain.notUsed')}
        />
        <CaptureLine capture={tried} t={t} />
        {children}
      </span>
      {why !== null && <p className={styles.plainText}>{t(why)}</p>}
    </li>
  )
}

/** Links for commands and special requests. Such a step is shown only when it answered. */
const specialLinks: readonly Explanation['answeredBy'][] = [
  'controlCommands',
  'dataCommands',
  'timeCommands',
  'unknownCommand',
  'preflight',
]

function Steps({ explanation: { steps, answeredBy } }: ExplanationProps) {
  const t = useWords()
  const shown = steps.filter(({ link }) => link === answeredBy || !specialLinks.includes(link))
  return (
    <Section title={t('explain.steps')}>
      <ol className={styles.explainSteps} aria-label={t('explain.steps')}>
        {shown.map(({ link, message }) => (
          <li key={link} data-answered={link === answeredBy}>
            <strong>{t(`link.${link}`)}</strong>
            <span>{t(message)}</span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Headers({ explanation: { archived, sent } }: ExplanationProps) {
  const t = useWords()
  return (
    <Section title={t('explain.headers')}>
      <div className="report-table" tabIndex={0} role="group" aria-label={t('explain.headers')}>
        <table aria-label={t('explain.headers')}>
          <thead>
            <tr>
              <th scope="col">{t('explain.header.name')}</th>
              <th scope="col">{t('explain.header.archived')}</th>
              <th scope="col">{t('explain.header.sent')}</th>
            </tr>
          </thead>
          <tbody>
            <HeaderRow
              name={t('explain.header.status')}
              archived={archived && statusOf(archived)}
              sent={statusOf(sent)}
            />
            {pairedFields(archived?.fields ?? [], sent.fields).map((pair, index) => (
              <HeaderRow key={index} {...pair} />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}

function statusOf({ status, reason }: Explanation['sent']): string {
  return `${status} ${reason}`.trim()
}

function HeaderRow({ name, archived, sent }: { name: string; archived: string | null; sent: string | null }) {
  return (
    <tr data-differs={archived !== sent}>
      <th scope="row">{name}</th>
      <td className="wrap">{archived ?? '–'}</td>
      <td className="wrap">{sent ?? '–'}</td>
    </tr>
  )
}

type Row = Explanation['elsewhere'][number]

function CaptureLine({ capture, t }: { capture: Row; t: Translate }) {
  const { count } = useFormats()
  const { url, captured, job, file, offset, status, recordType } = capture
  const jobText = useJobText()
  return (
    <span className={`${styles.captureLine} tabular`}>
      <span>{timeUtc(captured)}</span>
      <span>{[status, recordType].filter((part) => part !== null && part !== '').join(' ')}</span>
      <span>{job === null ? t('viewer.noJob') : jobText(job)}</span>
      <span className="wrap">{url}</span>
      <a className="wrap" href={hrefOf({ place: 'record', file, offset, number: null })}>
        {t('record.at', { file, offset: count(offset) })}
      </a>
    </span>
  )
}

function placeOf({ file, offset, url }: Row): string {
  return `${file} ${offset} ${url}`
}
