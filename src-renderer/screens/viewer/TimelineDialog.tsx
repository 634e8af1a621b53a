/** When one address was captured: years, the calendar of one of them, and the captures of a day. Choosing one shows the page
 *  as of its moment. */
import { Button, Modal, Text, Title, UnstyledButton } from '@mantine/core'
import { useCallback, useState } from 'react'
import { useStore } from 'zustand'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSession } from '../../state/session.tsx'
import { shownTab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'
import { capturesByDay, dayOf, yearsOf } from './captureTimes.ts'
import { YearCalendar } from './YearCalendar.tsx'

type Capture = Awaited<ReturnType<Loupe['viewer']['captures']>>[number]

interface TimelineDialogProps {
  /** Null: it is not open. */
  url: string | null
  onClose: () => void
}

export function TimelineDialog({ url, onClose }: TimelineDialogProps) {
  const say = useWords()
  return (
    <Modal
      opened={url !== null}
      onClose={onClose}
      size="min(1120px, 92vw)"
      title={say('timeline.title')}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      {url !== null && <Timeline url={url} onChosen={onClose} />}
    </Modal>
  )
}

function Timeline({ url, onChosen }: { url: string; onChosen: () => void }) {
  const say = useWords()
  const { services } = useSession()
  const [captures, again] = useLoaded(useCallback(() => services.viewer.captures({ url }), [services, url]))
  return (
    <>
      <Text className="wrap" mb="md">
        {url}
      </Text>
      <Await of={captures} onRetry={again}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={say('timeline.none')} text={say('timeline.none.text')} />
          ) : (
            <Years captures={all} onChosen={onChosen} />
          )
        }
      </Await>
    </>
  )
}

function Years({ captures, onChosen }: { captures: readonly Capture[]; onChosen: () => void }) {
  const say = useWords()
  const { view: store } = useSession()
  const { page } = shownTab(useStore(store))
  const days = capturesByDay(captures)
  const [lastDay = ''] = [...days.keys()].slice(-1)
  const shownDay = page?.captured ? dayOf({ captured: page.captured }) : ''
  const [day, setDay] = useState(days.has(shownDay) ? shownDay : lastDay)
  const [year, setYear] = useState(Number(day.slice(0, 4)))
  const years = yearsOf(captures)
  const most = Math.max(...years.map(({ count }) => count))

  return (
    <div className="timeline">
      <ul className="timeline-years" aria-label={say('timeline.years')}>
        {years.map(({ year: one, count }) => (
          <li key={one}>
            <UnstyledButton
              aria-pressed={one === year}
              aria-label={say('timeline.year', { year: String(one), count })}
              onClick={() => {
                setYear(one)
                setDay([...days.keys()].find((known) => known.startsWith(`${one}-`)) ?? day)
              }}
            >
              <span className="tabular">{one}</span>
              <span className="year-bar" style={{ width: `${(100 * count) / most}%` }} />
              <span className="dimmed tabular">{count}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <YearCalendar year={year} countOf={(one) => days.get(one)?.length ?? 0} chosen={day} onChoose={setDay} />
      {day.startsWith(`${year}-`) && (
        <DayCaptures day={day} captures={days.get(day) ?? []} shown={page?.captured ?? null} onChosen={onChosen} />
      )}
    </div>
  )
}

interface DayCapturesProps {
  day: string
  captures: readonly Capture[]
  /** When the page that is shown was captured. */
  shown: string | null
  onChosen: () => void
}

function DayCaptures({ day, captures, shown, onChosen }: DayCapturesProps) {
  const say = useWords()
  const { view: store } = useSession()
  const { open, choice } = useStore(store)

  function choose(captured: string): void {
    const present = choice()
    if (!present) return
    onChosen()
    void open({ ...present, at: captured })
  }

  return (
    <section className="day-captures">
      <Title order={3} size="h5" mb="xs">
        {say('timeline.captures', { day })}
      </Title>
      <ul className="plain-list" aria-label={say('timeline.captures', { day })}>
        {captures.map(({ captured, status, job }) => (
          <li key={`${captured} ${job}`} className="day-capture">
            <span className="tabular">{timeUtc(captured).slice(11)}</span>
            <ToneBadge tone={status < 400 ? 'done' : 'attention'} text={String(status)} />
            <span className="dimmed">{job === null ? '' : say('viewer.fromJob', { job })}</span>
            {shown !== null && timeUtc(shown) === timeUtc(captured) ? (
              <span className="dimmed">{say('timeline.shown')}</span>
            ) : (
              <Button
                size="xs"
                variant="default"
                aria-label={say('timeline.show.at', { time: timeUtc(captured) })}
                onClick={() => choose(captured)}
              >
                {say('timeline.show')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
