/** The log of a job: the newest lines. Follows the end until the user scrolls away from it. */
import { useLayoutEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { timeUtc } from '../../parts/formats.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Section } from '../../parts/Section.tsx'
import type { JobStore } from '../../state/job.ts'
import { useWords } from '../../words/words.tsx'

/** One and a half lines: closer to the end than this counts as being at the end. */
const nearEndPx = 24

export function JobLog({ store }: { store: JobStore }) {
  const t = useWords()
  const { log } = useStore(store)
  const list = useRef<HTMLOListElement>(null)
  const following = useRef(true)
  useLayoutEffect(() => {
    if (list.current && following.current) list.current.scrollTop = list.current.scrollHeight
  }, [log])
  return (
    <Section title={t('log.title')}>
      {log.length === 0 ? (
        <EmptyState title={t('log.empty')} text={t('log.empty.text')} />
      ) : (
        <ol
          ref={list}
          className="log"
          tabIndex={0}
          aria-label={t('log.title')}
          onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
            following.current = scrollHeight - scrollTop - clientHeight < nearEndPx
          }}
        >
          {log.map(({ id, at, level, message }) => (
            <li key={id} data-level={level}>
              <time dateTime={at}>{timeUtc(at)}</time> {level !== 'info' && <strong>{t(`log.${level}`)} </strong>}
              {t(message)}
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
