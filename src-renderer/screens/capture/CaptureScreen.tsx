/** Finds the record of a job's capture of a URL and opens it. */
import { useEffect, useState } from 'react'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { loadedFrom, loading, type Loaded } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { goTo, hrefOf } from '../../routes/routes.ts'

type Located = Awaited<ReturnType<Loupe['viewer']['locate']>>

export function CaptureScreen({ job, url }: { job: number; url: string }) {
  const t = useWords()
  const { services } = useSession()
  const [located, setLocated] = useState<Loaded<Located>>(loading)
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    let isWanted = true
    void loadedFrom(services.viewer.locate({ jobs: [job], url })).then((answer) => {
      if (!isWanted) return
      setLocated(answer)
      if (answer.is === 'ready' && answer.value)
        goTo({ place: 'record', file: answer.value.file, offset: answer.value.offset, number: null }, 'replace')
    })
    return () => {
      isWanted = false
    }
  }, [services, job, url, asked])
  return (
    <Await of={located} onRetry={() => setAsked(asked + 1)}>
      {(place) =>
        place === null && (
          <EmptyState title={t('capture.none')} text={t('capture.none.text', { url })}>
            <a href={hrefOf({ place: 'job', job })}>{t('capture.toJob', { job })}</a>
          </EmptyState>
        )
      }
    </Await>
  )
}
