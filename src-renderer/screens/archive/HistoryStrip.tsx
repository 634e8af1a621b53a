/** History of a replica as a strip of marks, the oldest on the left. A mark shows its outcome by colour and shape and its kind by a
 *  letter; pointer, keyboard and screen reader users get all of it as text. */
import { Tooltip } from '@mantine/core'
import { Check, CircleDashed, TriangleAlert, Wrench, type LucideIcon } from 'lucide-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import type { ReplicaEvent } from '../../../src-main/contract/services/replicas.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { timeUtc, useFormats, type Formats } from '../../parts/formats.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { hrefOf, type ArchiveTab } from '../../routes/routes.ts'
import { eventKinds, marksOf, outcomeOf, outcomes, type Outcome } from './historyMarks.ts'
import styles from './archive.module.css'

const looks: Record<Outcome, { tone: Tone; symbol: LucideIcon }> = {
  fine: { tone: 'done', symbol: Check },
  damage: { tone: 'failed', symbol: TriangleAlert },
  unfinished: { tone: 'idle', symbol: CircleDashed },
  repaired: { tone: 'running', symbol: Wrench },
}

interface HistoryStripProps {
  replica: string
  /** Oldest first. */
  events: readonly ReplicaEvent[]
  /** Scrolls a check into view. */
  onCheck: (check: number) => void
}

export function HistoryStrip({ replica, events, onCheck }: HistoryStripProps) {
  const t = useWords()
  const marks = marksOf(events)
  if (marks.length === 0) return <p className="dimmed">{t('history.none')}</p>
  return <Marks replica={replica} marks={marks} onCheck={onCheck} />
}

/** The whole strip is one stop of the tab key; the arrow keys move between marks. */
function Marks({
  replica,
  marks,
  onCheck,
}: { replica: string; marks: readonly ReplicaEvent[] } & Pick<HistoryStripProps, 'onCheck'>) {
  const t = useWords()
  const list = useRef<HTMLOListElement>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const last = marks.length - 1
  const current = Math.min(chosen ?? last, last)

  function move(event: KeyboardEvent): void {
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(last, to))
    setChosen(next)
    list.current?.querySelectorAll<HTMLElement>('.strip-mark')[next]?.focus()
  }

  return (
    <ol ref={list} className={styles.strip} aria-label={t('history.of', { replica })} onKeyDown={move}>
      {marks.map((mark, index) => (
        <li key={`${mark.kind} ${mark.number} ${mark.at}`}>
          <Mark mark={mark} isStop={index === current} onFocus={() => setChosen(index)} onCheck={onCheck} />
        </li>
      ))}
    </ol>
  )
}

interface MarkProps extends Pick<HistoryStripProps, 'onCheck'> {
  mark: ReplicaEvent
  isStop: boolean
  onFocus: () => void
}

function Mark({ mark, isStop, onFocus, onCheck }: MarkProps) {
  const t = useWords()
  const formats = useFormats()
  const { tone, symbol: Symbol } = looks[outcomeOf(mark)]
  const text = markWords(t, formats, mark)
  const { archive } = useSession()

  function show(): void {
    void archive.getState().choose(mark.number)
    onCheck(mark.number)
  }

  const common = { className: 'strip-mark', tabIndex: isStop ? 0 : -1, 'aria-label': text, onFocus }
  const tab = tabs[mark.kind]
  const symbol = (
    <>
      <span className={styles.stripForm} data-tone={tone} data-outcome={outcomeOf(mark)}>
        <Symbol size={13} aria-hidden />
      </span>
      <span className={styles.stripLetter} aria-hidden>
        {t(`history.letter.${mark.kind}`)}
      </span>
    </>
  )
  return (
    <Tooltip label={text}>
      {tab ? (
        <a {...common} href={hrefOf({ place: 'archive', tab })}>
          {symbol}
        </a>
      ) : (
        <button type="button" {...common} onClick={show}>
          {symbol}
        </button>
      )}
    </Tooltip>
  )
}

/** Link to details; a check is opened on the screen that shows the strip. */
const tabs: Partial<Record<ReplicaEvent['kind'], ArchiveTab>> = { repair: 'attic', spot: 'audit' }

/** Legend of the marks, shown once for all cards. */
export function HistoryLegend() {
  const t = useWords()
  return (
    <dl className={styles.stripLegend} aria-label={t('history.legend')}>
      {outcomes.map((outcome) => {
        const { tone, symbol: Symbol } = looks[outcome]
        return (
          <div key={outcome}>
            <dt>
              <span className={styles.stripForm} data-tone={tone} data-outcome={outcome}>
                <Symbol size={13} aria-hidden />
              </span>
            </dt>
            <dd>{t(`history.outcome.${outcome}`)}</dd>
          </div>
        )
      })}
      {eventKinds.map((kind) => (
        <div key={kind}>
          <dt className={styles.stripLetter}>{t(`history.letter.${kind}`)}</dt>
          <dd>{t(`history.kind.${kind}`)}</dd>
        </div>
      ))}
    </dl>
  )
}

function markWords(t: Translate, formats: Formats, mark: ReplicaEvent): string {
  const outcome = outcomeOf(mark)
  const { kind, number, at, begunBy, files, filesTotal, findings } = mark
  const values = {
    kind: t(`history.kind.${kind}`),
    number,
    at: timeUtc(at),
    by: t(`history.by.${begunBy}`),
    found: t(`history.found.${outcome}`, { findings }),
    copies: formats.count(files),
    total: formats.count(filesTotal),
  }
  return t(kind === 'repair' ? 'history.mark.repair' : 'history.mark', values)
}
