/** What one looks at: when the page was captured, by which job, and which other captures of it there are. */
import { Menu, UnstyledButton } from '@mantine/core'
import { History } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { loadedFrom, valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { type Say, useWords } from '../../words/words.tsx'
import { hrefOf } from '../routes.ts'

type Captures = Awaited<ReturnType<Loupe['viewer']['captures']>>

export function PageFacts({ onCover }: { onCover: (covered: boolean) => void }) {
  const say = useWords()
  const { count } = useFormats()
  const { view: store } = useSession()
  const { view, page, arriving, address } = useStore(store)
  const current = valueOf(view)
  return (
    <div className="viewer-below" role="status">
      {arriving && <span className="dimmed">{say('viewer.arriving')}</span>}
      {!arriving && page && !page.found && <ToneBadge tone="failed" text={say('viewer.notFound')} />}
      {!arriving && page?.captured && (
        <span className="tabular">{say('viewer.captured', { time: timeUtc(page.captured) })}</span>
      )}
      {!arriving && page?.job && (
        <a href={hrefOf({ place: 'job', job: page.job })}>{say('viewer.fromJob', { job: page.job })}</a>
      )}
      {address && <CapturesMenu url={address} onCover={onCover} />}
      {current && (
        <span className="dimmed tabular">
          {momentWords(say, current.at)} · {say('viewer.captures', { captures: count(current.captures) })}
        </span>
      )}
      {current && current.filesMissing.length > 0 && (
        <ToneBadge
          tone="attention"
          text={say('viewer.filesMissing', { count: current.filesMissing.length })}
          meaning={say('viewer.filesMissing.meaning', {
            files: current.filesMissing.map(({ name }) => name).join(', '),
          })}
        />
      )}
    </div>
  )
}

function momentWords(say: Say, at: string): string {
  if (at === 'newest' || at === 'oldest') return say(`viewer.${at}`)
  return say('viewer.nearest', { time: timeUtc(at) })
}

function CapturesMenu({ url, onCover }: { url: string; onCover: (covered: boolean) => void }) {
  const say = useWords()
  const { services, view: store } = useSession()
  const { open, view } = useStore(store)
  const jobs = valueOf(view)?.jobs
  const [captures, setCaptures] = useState<Captures>([])
  useEffect(() => {
    let stale = false
    void loadedFrom(services.viewer.captures({ url })).then((loaded) => {
      if (!stale) setCaptures(valueOf(loaded) ?? [])
    })
    return () => {
      stale = true
    }
  }, [services, url])
  if (captures.length < 2 || !jobs) return null
  return (
    <Menu onOpen={() => onCover(true)} onClose={() => onCover(false)} position="bottom-start">
      <Menu.Target>
        <UnstyledButton className="link-button">
          <History size={14} aria-hidden /> {say('viewer.otherCaptures', { count: captures.length })}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        <Menu.Label>{say('viewer.otherCaptures.label')}</Menu.Label>
        {captures.map(({ captured, status, job }) => (
          <Menu.Item key={`${captured} ${job}`} onClick={() => void open({ jobs, at: captured })}>
            <span className="tabular">
              {timeUtc(captured)} · {status}
              {job === null ? '' : ` · ${say('viewer.fromJob', { job })}`}
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
