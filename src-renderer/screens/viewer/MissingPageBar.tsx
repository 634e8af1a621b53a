/** What can be done about a page that the view lacks. The buttons are outside of the page, so no archived page can press them. */
import { Button, Group, Text } from '@mantine/core'
import { useCallback, useState } from 'react'
import { useStore } from 'zustand'
import type { PatchJob } from '../../../src-main/contract/services/misses.ts'
import type { Answer } from '../../../src-main/contract/services/viewer.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { showNotice } from '../../parts/notice.ts'
import { ToneNote } from '../../parts/ToneNote.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import { faultFrom, valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { shownTab } from '../../state/viewTabs.ts'
import { faultText } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'

export function MissingPageBar() {
  const { view: store } = useSession()
  const state = useStore(store)
  const { page } = shownTab(state)
  const view = valueOf(state.view)
  if (!page || !view || page.by !== 'missing' || page.found || page.view !== view.view) return null
  return <MissingPage key={page.id} page={page} jobs={view.jobs} />
}

function MissingPage({ page: { id, url, method }, jobs }: { page: Answer; jobs: number[] }) {
  const t = useWords()
  const { services } = useSession()
  const [patch, setPatch] = useState<PatchJob | null>(null)

  async function act(action: () => Promise<void>): Promise<void> {
    try {
      await action()
    } catch (error) {
      showNotice({ message: faultText(faultFrom(error)), isError: true })
    }
  }
  const add = async () => {
    for (const job of jobs) await services.misses.add({ job, urls: [url] })
    showNotice({ message: t('missingPage.added') })
  }

  return (
    <ToneNote tone="attention" title={t('missingPage.title')}>
      <Group gap="xs">
        {patch ? (
          <Harvesting patch={patch} url={url} />
        ) : (
          <>
            <OtherJobs asked={{ url, method, answer: id }} />
            {jobs.length > 0 && (
              <>
                <ActionButton needs="misses.add" size="xs" variant="default" onClick={() => void act(add)}>
                  {t('missingPage.add')}
                </ActionButton>
                <ActionButton
                  needs="misses.harvest"
                  size="xs"
                  variant="default"
                  onClick={() => void act(async () => setPatch(await services.misses.harvest({ jobs, url })))}
                >
                  {t('missingPage.harvest')}
                </ActionButton>
              </>
            )}
          </>
        )}
      </Group>
    </ToneNote>
  )
}

/** Jobs that have the page: each can be opened, or added to the view. */
function OtherJobs({ asked: { url, method, answer } }: { asked: { url: string; method: string; answer: number } }) {
  const t = useWords()
  const { services, view: store } = useSession()
  const { choice, open } = useStore(store)
  const [explained] = useLoaded(
    useCallback(() => services.viewer.explain({ url, method, isPage: true, answer }), [services, url, method, answer]),
  )
  const jobs = new Set((valueOf(explained)?.elsewhere ?? []).flatMap(({ job }) => job ?? []))
  const present = choice()
  return [...jobs].slice(0, offeredMax).map((job) => (
    <Group key={job} gap="xs">
      <Button size="xs" variant="default" onClick={() => void open({ jobs: [job], url })}>
        {t('missingPage.open', { job })}
      </Button>
      <Button
        size="xs"
        variant="default"
        onClick={() => void open({ ...present, jobs: [...(present?.jobs ?? []), job], url })}
      >
        {t('missingPage.addJob', { job })}
      </Button>
    </Group>
  ))
}

/** Jobs that are offered; users would not read more. */
const offeredMax = 3

/** What happens next, and the page when the job has ended. */
function Harvesting({ patch: { job, patches }, url }: { patch: PatchJob; url: string }) {
  const t = useWords()
  const { services, view: store } = useSession()
  const { choice, open } = useStore(store)
  const [summary, load] = useLoaded(useCallback(() => services.jobs.show({ job }), [services, job]))
  useChanges(services.jobs.changed, load)
  const hasEnded = (valueOf(summary)?.ended ?? null) !== null
  const present = choice()
  return (
    <>
      <Text size="sm">{t(hasEnded ? 'missingPage.harvested' : 'missingPage.harvesting', { job, patches })}</Text>
      <a href={hrefOf({ place: 'job', job })}>{t('missingPage.job', { job })}</a>
      {hasEnded && (
        <Button size="xs" onClick={() => void open({ ...present, withOverlays: true, url })}>
          {t('missingPage.show')}
        </Button>
      )}
    </>
  )
}
