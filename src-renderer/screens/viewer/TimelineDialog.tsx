/** Captures of one URL: years, the calendar of a year, and the captures of a day, which are loaded when the day is chosen, because a URL
 *  may have a hundred thousand. Choosing a capture shows the page as of its time. */
import { Button, Modal, Text, Title, UnstyledButton } from '@mantine/core'
import { useCallback, useState } from 'react'
import { useStore } from 'zustand'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { VirtualList } from '../../parts/VirtualList.tsx'
import { useSession } from '../../state/session.tsx'
import { shownTab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'
import { yearsOf } from './captureTimes.ts'
import { YearCalendar } from './YearCalendar.tsx'
import { useJobText } from './useJobText.ts'
import styles from './viewer.module.css'

type CapturedYears = Awaited<ReturnType<Loupe['viewer']['timeline']>>
type Capture = Awaited<ReturnType<Loupe['viewer']['captures']>>[number]

interface TimelineDialogProps {
  /** Null while the dialog is closed. */
  url: string | null
  onClose: () => void
}

export function TimelineDialog({ url, onClose }: TimelineDialogProps) {
  const t = useWords()
  return (
    <Modal
      opened={url !== null}
      onClose={onClose}
      size="min(1120px, 92vw)"
      title={t('timeline.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {url !== null && <Timeline url={url} onChosen={onClose} />}
    </Modal>
  )
}

function Timeline({ url, onChosen }: { url: string; onChosen: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const [captured, again] = useLoaded(useCallback(() => services.viewer.timeline({ url }), [services, url]))
  return (
    <>
      <Text className="wrap" mb="md">
        {url}
      </Text>
      <Await of={captured} onRetry={again}>
        {(years) =>
          years.length === 0 ? (
            <EmptyState title={t('timeline.none')} text={t('timeline.none.text')} />
          ) : (
            <Years url={url} captured={years} onChosen={onChosen} />
          )
        }
      </Await>
    </>
  )
}

interface YearsProps {
  url: string
  captured: CapturedYears
  onChosen: () => void
}

function Years({ url, captured, onChosen }: YearsProps) {
  const t = useWords()
  const { count } = useFormats()
  const { view: store } = useSession()
  const { page } = shownTab(useStore(store))
  const days = new Map(captured.flatMap((year) => year.days).map(({ day, captures }) => [day, captures]))
  const [lastDay = ''] = [...days.keys()].slice(-1)
  const shownDay = page?.captured?.slice(0, 10) ?? ''
  const [day, setDay] = useState(days.has(shownDay) ? shownDay : lastDay)
  const [year, setYear] = useState(Number(day.slice(0, 4)))
  const years = yearsOf(captured)
  const most = Math.max(...years.map(({ captures }) => captures))

  return (
    <div className={styles.timeline}>
      <ul className={styles.timelineYears} aria-label={t('timeline.years')}>
        {years.map(({ year: one, captures }) => (
          <li key={one}>
            <UnstyledButton
              aria-pressed={one === year}
              aria-label={t('timeline.year', { year: String(one), count: captures })}
              onClick={() => {
                setYear(one)
                setDay(captured.find((known) => known.year === one)?.days[0]?.day ?? day)
              }}
            >
              <span className="tabular">{one}</span>
              <span className={styles.yearBar} style={{ width: `${(100 * captures) / most}%` }} />
              <span className="dimmed tabular">{count(captures)}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <YearCalendar year={year} countOf={(one) => days.get(one) ?? 0} chosen={day} onChoose={setDay} />
      {day.startsWith(`${year}-`) && <Day key={day} url={url} day={day} onChosen={onChosen} />}
    </div>
  )
}

function Day({ url, day, onChosen }: { url: string; day: string; onChosen: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const [captures, again] = useLoaded(useCallback(() => services.viewer.captures({ url, day }), [services, url, day]))
  return (
    <section className={styles.dayCaptures}>
      <Title order={3} size="h5" mb="xs">
        {t('timeline.captures', { day })}
      </Title>
      <Await of={captures} onRetry={again}>
        {(all) => <DayCaptures day={day} captures={all} onChosen={onChosen} />}
      </Await>
    </section>
  )
}

interface DayCapturesProps {
  day: string
  captures: readonly Capture[]
  onChosen: () => void
}

function DayCaptures({ day, captures, onChosen }: DayCapturesProps) {
  const t = useWords()
  const jobText = useJobText()
  const { view: store } = useSession()
  const state = useStore(store)
  const { page } = shownTab(state)

  function choose(captured: string): void {
    const present = state.choice()
    if (!present) return
    onChosen()
    void state.open({ ...present, at: captured })
  }

  return (
    <VirtualList
      label={t('timeline.captures', { day })}
      // Two captures of one job may have the same second.
      rows={captures.map((capture, place) => ({ ...capture, place }))}
      rowKey={({ place }) => place}
    >
      {({ captured, status, job }) => (
        <div className={styles.dayCapture}>
          <span className="tabular">{timeUtc(captured).slice(11)}</span>
          <ToneBadge tone={status < 400 ? 'done' : 'attention'} text={String(status)} />
          <span className="dimmed">{job === null ? '' : jobText(job)}</span>
          {page?.captured && timeUtc(page.captured) === timeUtc(captured) ? (
            <span className="dimmed">{t('timeline.shown')}</span>
          ) : (
            <Button
              size="xs"
              variant="default"
              aria-label={t('timeline.show.at', { time: timeUtc(captured) })}
              onClick={() => choose(captured)}
            >
              {t('timeline.show')}
            </Button>
          )}
        </div>
      )}
    </VirtualList>
  )
}
