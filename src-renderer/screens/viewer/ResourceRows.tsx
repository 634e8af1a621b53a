/** The rows of the resource panel: a response, a missing resource, and an error of the archive. */
import { CircleQuestionMark } from 'lucide-react'
import type { ReactNode } from 'react'
import { pageTypes, type Answer, type Miss, type ViewError } from '../../../src-main/contract/services/viewer.ts'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { IconAction } from '../../parts/IconAction.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { originOf } from '../../state/pageOfAnswers.ts'
import { isWord, useWords, type Translate } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { TruncatedBadge } from './TruncatedBadge.tsx'
import { apartWords } from './apartWords.ts'
import type { ShowOverlay } from './overlay.ts'
import { useJobText } from './useJobText.ts'
import styles from './viewer.module.css'

interface AnswerRowProps {
  answer: Answer
  page: Answer | null
  /** The error when a capture of this URL could not be read. */
  unreadable: ViewError | undefined
  onShow: ShowOverlay
}

export function AnswerRow({ answer, page, unreadable, onShow }: AnswerRowProps) {
  const t = useWords()
  const formats = useFormats()
  const jobText = useJobText()
  const { status, mediaType, bytes, captured, capturedUrl, inexact, truncated, job, file, offset } = answer
  const apart = captured && page?.captured ? apartWords(t, formats, captured, page.captured) : ''
  return (
    <Row asked={answer} answer={answer.id} onShow={onShow}>
      <ToneBadge tone={status < 400 ? 'done' : 'attention'} text={String(status)} />
      {unreadable && <ToneBadge tone="failed" text={t('resources.unreadable')} meaning={t(unreadable.why)} />}
      {truncated && <TruncatedBadge truncated={truncated} text={t('resources.truncated')} />}
      <Kind answer={answer} page={page} />
      {mediaType && <span>{mediaType}</span>}
      {bytes !== null && <span>{formats.bytes(bytes)}</span>}
      {captured && <span>{timeUtc(captured)}</span>}
      {apart !== '' && <span title={t('resources.apart')}>{apart}</span>}
      {job !== null && <span>{jobText(job)}</span>}
      {inexact.length > 0 && (
        <span>{t('resources.inexact', { rules: inexact.map((rule) => inexactWords(rule, t)).join('; ') })}</span>
      )}
      {capturedUrl !== null && <span className="wrap">{t('resources.captured', { url: capturedUrl })}</span>}
      {file !== null && offset !== null && <RecordLocation file={file} offset={offset} />}
      {unreadable && <RecordLocation file={unreadable.file} offset={unreadable.offset} />}
    </Row>
  )
}

interface MissingRowProps {
  missing: Pick<Answer, 'url' | 'method' | 'referrer' | 'resourceType' | 'initiator'>
  /** Undefined until it is loaded. */
  miss: Miss | undefined
  /** Number of the response, if there is one. */
  answer?: number | undefined
  onShow: ShowOverlay
}

export function MissingRow({ missing, miss, answer, onShow }: MissingRowProps) {
  const t = useWords()
  const { resourceType } = missing
  return (
    <Row asked={missing} answer={answer} onShow={onShow}>
      <ToneBadge tone="failed" text={t('resources.absent')} />
      {resourceType !== '' && <span>{resourceType}</span>}
      {miss && <span>{t(miss.why)}</span>}
      {miss && miss.times > 1 && <span>{t('resources.times', { times: miss.times })}</span>}
      {miss && <span>{t('resources.last', { time: timeUtc(miss.last) })}</span>}
      <WantedBy asked={missing} />
    </Row>
  )
}

export function ErrorRow({ error, onShow }: { error: ViewError; onShow: ShowOverlay }) {
  const t = useWords()
  const { kind, status, why, times, resourceType, file, offset } = error
  return (
    <Row asked={error} onShow={onShow}>
      {kind === 'unreadable' ? (
        <ToneBadge tone="failed" text={t('resources.unreadable')} />
      ) : (
        <ToneBadge tone="attention" text={String(status)} />
      )}
      {resourceType !== '' && <span>{resourceType}</span>}
      <span className="wrap">{t(why)}</span>
      {times > 1 && <span>{t('resources.times', { times })}</span>}
      <WantedBy asked={error} />
      <RecordLocation file={file} offset={offset} />
    </Row>
  )
}

interface RowProps {
  asked: { url: string; method: string; resourceType: string }
  /** Number of the response, if there is one. */
  answer?: number | undefined
  onShow: ShowOverlay
  children: ReactNode
}

function Row({ asked: { url, method, resourceType }, answer, onShow, children }: RowProps) {
  const t = useWords()
  const isPage = pageTypes.includes(resourceType)
  return (
    <>
      <span className={styles.resourceLine}>
        <span className={styles.resourceUrl}>{method === 'GET' ? url : `${method} ${url}`}</span>
        <span className={styles.resourceActions}>
          <IconAction
            name={t('resources.explain', { url })}
            icon={CircleQuestionMark}
            onClick={() => onShow({ is: 'explain', asked: { url, method, isPage, answer } })}
          />
          <CopyAction text={url} what={t('resources.address')} />
        </span>
      </span>
      <span className={`${styles.resourceFacts} tabular`}>{children}</span>
    </>
  )
}

/** Purpose of a request, and the page that made it if that is a frame in the page. */
function Kind({ answer: { resourceType, initiator, id }, page }: { answer: Answer; page: Answer | null }) {
  const t = useWords()
  const isOfPage = page === null || page.id === id || initiator === page.url
  return (
    <>
      {resourceType !== '' && <span>{resourceType}</span>}
      {initiator !== '' && !isOfPage && <span className="wrap">{t('resources.initiator', { initiator })}</span>}
    </>
  )
}

/** The page that requested it, and the style sheet or script that caused the request. Only the origin where no more is known. */
function WantedBy({ asked: { url, initiator, referrer } }: { asked: Pick<Answer, 'url' | 'initiator' | 'referrer'> }) {
  const t = useWords()
  const origin = originOf(referrer)
  const isOriginOnly = referrer === `${origin}/` && originOf(url) !== origin
  if (initiator === '' && isOriginOnly) return <span className="wrap">{t('resources.wantedFrom', { origin })}</span>
  const page = initiator === '' ? referrer : initiator
  return (
    <>
      {page !== '' && <span className="wrap">{t('resources.wantedBy', { page })}</span>}
      {referrer !== page && referrer !== '' && !isOriginOnly && (
        <span className="wrap">{t('resources.through', { referrer })}</span>
      )}
    </>
  )
}

/** A link to the record of the response. */
function RecordLocation({ file, offset }: { file: string; offset: number }) {
  const t = useWords()
  const { count } = useFormats()
  return (
    <a className="wrap" href={hrefOf({ place: 'record', file, offset, number: null })}>
      {t('record.at', { file, offset: count(offset) })}
    </a>
  )
}

/** A rule without a text is shown by its name. */
function inexactWords(rule: string, t: Translate): string {
  const id = `inexact.${rule}`
  return isWord(id) ? t(id) : rule
}
