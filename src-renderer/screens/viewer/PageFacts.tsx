/** Facts about the page: capture time, job, time differences of its parts, and gaps of the view. */
import { UnstyledButton } from '@mantine/core'
import { CalendarDays, CircleQuestionMark, TriangleAlert } from 'lucide-react'
import { useCallback } from 'react'
import { useStore } from 'zustand'
import type { Answer, ViewSummary } from '../../../src-main/contract/services/viewer.ts'
import { timeUtc } from '../../parts/formats.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { isUnreadable } from '../../state/pageGroups.ts'
import { shownTab } from '../../state/viewTabs.ts'
import { type Translate, useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { CoherenceBadge } from './CoherenceBadge.tsx'
import { lackingWords } from './IncompleteDialog.tsx'
import type { ShowOverlay } from './overlay.ts'
import { TruncatedBadge } from './TruncatedBadge.tsx'
import { OverlaysLine } from './OverlaysLine.tsx'
import { useJobText } from './useJobText.ts'
import styles from './viewer.module.css'

interface PageFactsProps {
  onShow: ShowOverlay
  /** Sorts the list of resources by time difference. */
  onDistance: () => void
}

export function PageFacts({ onShow, onDistance }: PageFactsProps) {
  const t = useWords()
  const { view: store } = useSession()
  const state = useStore(store)
  const tab = shownTab(state)
  const { page, arriving, address } = tab
  const current = valueOf(state.view)
  const jobText = useJobText()
  return (
    <div className={styles.viewerBelow}>
      <div className={styles.viewerFacts} role="status">
        {arriving && <span className="dimmed">{t('viewer.arriving')}</span>}
        {!arriving && page && !page.found && <NotShownBadge page={page} />}
        {!arriving && page?.truncated && <TruncatedBadge truncated={page.truncated} text={t('viewer.truncated')} />}
        {!arriving && page?.captured && (
          <span className="tabular">{t('viewer.captured', { time: timeUtc(page.captured) })}</span>
        )}
        {!arriving && page?.job && <a href={hrefOf({ place: 'job', job: page.job })}>{jobText(page.job)}</a>}
      </div>
      <OverlaysLine />
      {!arriving && <CoherenceBadge tab={tab} onPress={onDistance} />}
      {address && current && (
        <CapturesButton key={`${current.view} ${current.growth.isGrowing}`} url={address} onShow={onShow} />
      )}
      {page && (
        <UnstyledButton
          className={styles.linkButton}
          onClick={() =>
            onShow({ is: 'explain', asked: { url: page.url, method: page.method, isPage: true, answer: page.id } })
          }
        >
          <CircleQuestionMark size={14} aria-hidden /> {t('viewer.explainPage')}
        </UnstyledButton>
      )}
      {current && (
        <span className="dimmed tabular">
          {[
            momentWords(t, current),
            ...(current.isExact ? [t('viewer.exact')] : []),
            ...(current.name === null ? [] : [t('viewer.kept', { name: current.name })]),
            t('viewer.captures', { captures: current.captures }),
          ].join(' · ')}
        </span>
      )}
      {current?.growth.isGrowing && (
        <ToneBadge
          tone="running"
          text={t('viewer.growing', { done: current.growth.filesDone, total: current.growth.filesTotal })}
          meaning={t('viewer.growing.meaning')}
        />
      )}
      {current && <LackingBadge view={current} onShow={onShow} />}
    </div>
  )
}

/** While the index grows it is unknown whether the page is archived. */
function NotShownBadge({ page }: { page: Answer }) {
  const t = useWords()
  if (page.by === 'growing')
    return <ToneBadge tone="waiting" text={t('viewer.notYet')} meaning={t('viewer.growing.meaning')} />
  return <ToneBadge tone="failed" text={t(isUnreadable(page) ? 'viewer.notReadable' : 'viewer.notFound')} />
}

function LackingBadge({ view, onShow }: { view: ViewSummary; onShow: ShowOverlay }) {
  const t = useWords()
  const parts = lackingWords(t, view)
  if (parts === '') return null
  return (
    <UnstyledButton className="badge" data-tone="attention" onClick={() => onShow({ is: 'incomplete' })}>
      <TriangleAlert size={14} aria-hidden />
      {t('incomplete.badge', { parts })}
    </UnstyledButton>
  )
}

function momentWords(t: Translate, { at, withinDays }: ViewSummary): string {
  if (at === 'newest' || at === 'oldest') return t(`viewer.${at}`)
  const time = timeUtc(at)
  return withinDays === null ? t('viewer.nearest', { time }) : t('viewer.nearest.within', { time, days: withinDays })
}

function CapturesButton({ url, onShow }: { url: string; onShow: ShowOverlay }) {
  const t = useWords()
  const { services } = useSession()
  const [timeline] = useLoaded(useCallback(() => services.viewer.timeline({ url }), [services, url]))
  const count = valueOf(timeline)?.reduce((sum, { captures }) => sum + captures, 0) ?? 0
  if (count === 0) return null
  return (
    <UnstyledButton className={styles.linkButton} onClick={() => onShow({ is: 'timeline', url })}>
      <CalendarDays size={14} aria-hidden /> {t('viewer.otherCaptures', { count })}
    </UnstyledButton>
  )
}
