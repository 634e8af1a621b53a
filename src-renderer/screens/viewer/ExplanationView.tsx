/** An explanation of the viewer, from its result to its grounds: what answered, by which rules, out of which captures, with which
 *  headers; and of a miss, what the jobs know and where it could be had. */
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { truncations } from '../../../src-main/contract/states/outcomes.ts'
import type { Explanation } from '../../../src-main/contract/services/viewer.ts'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords, type Say } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { fieldsBeside } from './fieldsBeside.ts'
import { TruncatedBadge } from './TruncatedBadge.tsx'
import styles from './viewer.module.css'

interface ExplanationViewProps {
  told: Explanation
  /** Something else is shown now. */
  onClose: () => void
}

export function ExplanationView({ told, onClose }: ExplanationViewProps) {
  return (
    <article className="explanation" aria-label={told.url}>
      <Result told={told} />
      <Reasons told={told} />
      <Elsewhere told={told} onClose={onClose} />
      <Rules told={told} />
      <Candidates told={told} />
      <Hops told={told} />
      <Steps told={told} />
      <Headers told={told} />
    </article>
  )
}

interface Told {
  told: Explanation
}

function Result({ told: { url, method, key, answeredBy, sent, truncated, archived } }: Told) {
  const say = useWords()
  return (
    <header>
      <p className={`wrap ${styles.explainUrl}`}>{url}</p>
      <p className={styles.explainResult}>
        <ToneBadge
          tone={archived ? (sent.status < 400 ? 'done' : 'attention') : 'failed'}
          text={`${sent.status} ${sent.reason}`.trim()}
        />
        {truncated && <TruncatedBadge truncated={truncated} text={say('viewer.truncated')} />}
        <strong>{archived ? say('explain.found', { link: say(`link.${answeredBy}`) }) : say('explain.missing')}</strong>
      </p>
      <div className="facts-stacked">
        <Facts
          facts={[
            { name: say('explain.key'), value: <span className="mono">{key}</span> },
            { name: say('explain.method'), value: method },
            ...(truncated === null ? [] : [{ name: say('explain.truncated'), value: truncations[truncated].text }]),
          ]}
        />
      </div>
    </header>
  )
}

function Reasons({ told: { reasons } }: Told) {
  const say = useWords()
  if (reasons.length === 0) return null
  return (
    <Section title={say('explain.reasons')}>
      <ul className={styles.plainList}>
        {reasons.map(({ job, text }) => (
          <li key={job ?? ''}>
            {job !== null && (
              <>
                <a href={hrefOf({ place: 'job', job })}>{say('viewer.jobs', { count: 1, jobs: job })}</a>
                {': '}
              </>
            )}
            {text}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Of each the way to see it: its job, or its file where it has none, is added to the view, or the view goes to its time. */
function Elsewhere({ told: { elsewhere, url }, onClose }: ExplanationViewProps) {
  const say = useWords()
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
    if (isViewed(capture)) return say('explain.showAt', { time: timeUtc(captured) })
    return job === null ? say('explain.addFile', { file }) : say('explain.addJob', { job })
  }

  return (
    <Section title={say('explain.elsewhere')}>
      <ul className={styles.plainList}>
        {elsewhere.map((capture) => (
          <li key={placeOf(capture)} className={styles.explainRow}>
            <CaptureLine capture={capture} say={say} />
            <Button size="xs" variant="default" onClick={() => show(capture)}>
              {actionWords(capture)}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Rules({ told: { inexact } }: Told) {
  const say = useWords()
  if (inexact.length === 0) return null
  return (
    <Section title={say('explain.rules')}>
      <ul className={styles.plainList}>
        {inexact.map(({ rule, meaning }) => (
          <li key={rule}>
            {meaning} <span className="dimmed mono">{rule}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Candidates({ told: { candidates } }: Told) {
  const say = useWords()
  const { distance } = useFormats()
  return (
    <Section title={say('explain.candidates')}>
      {candidates.length === 0 && <p className={`dimmed ${styles.plainText}`}>{say('explain.candidates.none')}</p>}
      <ul className={styles.plainList} aria-label={say('explain.candidates')}>
        {candidates.map((candidate) => {
          const { distanceMs, captured } = candidate
          const apart =
            distanceMs === null ? '' : distance(captured, new Date(Date.parse(captured) - distanceMs).toISOString())
          return (
            <TriedRow key={placeOf(candidate)} tried={candidate} say={say}>
              {apart !== '' && <span className="dimmed">{apart}</span>}
            </TriedRow>
          )
        })}
      </ul>
    </Section>
  )
}

function Hops({ told: { revisitHops } }: Told) {
  const say = useWords()
  if (revisitHops.length === 0) return null
  return (
    <Section title={say('explain.hops')}>
      <ol className={styles.plainList} aria-label={say('explain.hops')}>
        {revisitHops.map((hop) => (
          <TriedRow key={placeOf(hop)} tried={hop} say={say} />
        ))}
      </ol>
    </Section>
  )
}

interface TriedRowProps {
  tried: Explanation['revisitHops'][number]
  say: Say
  children?: ReactNode
}

/** A capture that was looked at, and what became of it. */
function TriedRow({ tried, say, children }: TriedRowProps) {
  const { isUsed, why } = tried
  return (
    <li>
      <span className={styles.explainRow}>
        <ToneBadge
          tone={isUsed ? 'done' : why === null ? 'idle' : 'attention'}
          text={say(isUsed ? 'explain.used' : why === null ? 'explain.notNeeded' : 'explain.notUsed')}
        />
        <CaptureLine capture={tried} say={say} />
        {children}
      </span>
      {why !== null && <p className={styles.plainText}>{why}</p>}
    </li>
  )
}

function Steps({ told: { steps, answeredBy } }: Told) {
  const say = useWords()
  return (
    <Section title={say('explain.steps')}>
      <ol className={styles.explainSteps} aria-label={say('explain.steps')}>
        {steps.map(({ link, text }) => (
          <li key={link} data-answered={link === answeredBy}>
            <strong>{say(`link.${link}`)}</strong>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Headers({ told: { archived, sent } }: Told) {
  const say = useWords()
  return (
    <Section title={say('explain.headers')}>
      <div className="report-table" tabIndex={0} role="group" aria-label={say('explain.headers')}>
        <table aria-label={say('explain.headers')}>
          <thead>
            <tr>
              <th scope="col">{say('explain.header.name')}</th>
              <th scope="col">{say('explain.header.archived')}</th>
              <th scope="col">{say('explain.header.sent')}</th>
            </tr>
          </thead>
          <tbody>
            <HeaderRow
              name={say('explain.header.status')}
              archived={archived && statusOf(archived)}
              sent={statusOf(sent)}
            />
            {fieldsBeside(archived?.fields ?? [], sent.fields).map((pair, index) => (
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

function CaptureLine({ capture, say }: { capture: Row; say: Say }) {
  const { count } = useFormats()
  const { url, captured, job, file, offset, status, recordType } = capture
  return (
    <span className={`${styles.captureLine} tabular`}>
      <span>{timeUtc(captured)}</span>
      <span>{[status, recordType].filter((part) => part !== null && part !== '').join(' ')}</span>
      <span>{job === null ? say('viewer.noJob') : say('viewer.fromJob', { job })}</span>
      <span className="wrap">{url}</span>
      <a className="wrap" href={hrefOf({ place: 'record', file, offset, number: null })}>
        {say('record.at', { file, offset: count(offset) })}
      </a>
    </span>
  )
}

function placeOf({ file, offset, url }: Row): string {
  return `${file} ${offset} ${url}`
}
