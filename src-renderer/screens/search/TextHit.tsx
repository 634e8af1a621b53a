/** One result: its title leads to the viewer at its capture. Title and snippet are archived text and are never taken for HTML. */
import { useStore } from 'zustand'
import type { SearchResult } from '../../../src-main/contract/services/search.ts'
import { timeUtc } from '../../parts/formats.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { PageThumbnail } from '../thumbnail/PageThumbnail.tsx'
import { AddToMissing } from './AddToMissing.tsx'
import { recordLink, viewerLink } from './hitLinks.ts'
import styles from './search.module.css'

export function TextHit({ result }: { result: SearchResult }) {
  const t = useWords()
  const { title, url, snippet, time, job, status, mediaType, captures, urls } = result
  const isOpenable = !useIsRunning(job)
  const name = title.trim() === '' ? url : title
  return (
    <li className={styles.hit}>
      {job !== null && <PageThumbnail job={job} url={url} className={styles.hitThumbnail} />}
      <h2 className={styles.hitTitle} dir="auto">
        {isOpenable ? <a href={viewerLink(result)}>{name}</a> : name}
      </h2>
      <div className={styles.hitUrl}>{url}</div>
      <p className={styles.snippet} dir="auto">
        {snippet.map(({ text, isMatch }, at) => (isMatch ? <mark key={at}>{text}</mark> : text))}
      </p>
      <div className={styles.hitFacts}>
        <span className="tabular">{timeUtc(time)}</span>
        {job !== null && <a href={hrefOf({ place: 'job', job })}>{t('search.job', { job })}</a>}
        <span>{mediaType}</span>
        {status !== null && status !== 200 && <span>{t('search.status', { status: String(status) })}</span>}
        {captures > 1 && <span>{t('search.folded', { captures, urls })}</span>}
        {isOpenable ? (
          <a href={recordLink(result)} aria-label={t('search.record.of', { name })}>
            {t('search.record')}
          </a>
        ) : (
          <span>{t('search.running')}</span>
        )}
        {isOpenable && job !== null && <AddToMissing job={job} url={url} name={name} />}
      </div>
    </li>
  )
}

/** Whether the job has not ended: the viewer shows what is archived, and the files of a job are archived at its end. */
function useIsRunning(job: number | null): boolean {
  const { jobs } = useStore(useSession().jobs)
  return valueOf(jobs)?.some((known) => known.job === job && known.ended === null) ?? false
}
