/** What a job says while it works: the newest lines, following the end until somebody scrolls away from it. */
import { useLayoutEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { timeUtc } from '../../parts/formats.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Section } from '../../parts/Section.tsx'
import type { JobStore } from '../../state/job.ts'
import { useWords } from '../../words/words.tsx'

/** A line and a half: closer to the end than this counts as being there. */
const nearEndPx = 24

export function JobLog({ store }: { store: JobStore }) {
  const say = useWords()
  const { log } = useStore(store)
  const list = useRef<HTMLOListElement>(null)
  const following = useRef(true)
  useLayoutEffect(() => {
    if (list.current && following.current) list.current.scrollTop = list.current.scrollHeight
  }, [log])
  return (
    <Section title={say('log.title')}>
      {log.length === 0 ? (
        <EmptyState title={say('log.empty')} text={say('log.empty.text')} />
      ) : (
        <ol
          ref={list}
          className="log"
          tabIndex={0}
          aria-label={say('log.title')}
          onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
            following.current = scrollHeight - scrollTop - clientHeight < nearEndPx
          }}
        >
          {log.map(({ id, at, level, text }) => (
            <li key={id} data-level={level}>
              <time dateTime={at}>{timeUtc(at)}</time> {level !== 'info' && <strong>{say(`log.${level}`)} </strong>}
              {text}
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
