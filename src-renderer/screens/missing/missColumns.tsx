/** Columns of a missing URL. */
import { HoverCard } from '@mantine/core'
import { useMemo } from 'react'
import type { JobMiss } from '../../../src-main/contract/services/misses.ts'
import { missStates } from '../../../src-main/contract/states/missStates.ts'
import { timeUtc } from '../../parts/formats.ts'
import { LongAddress } from '../../parts/LongAddress.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { StateBadge } from '../../parts/tone.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { useWords, type Translate } from '../../words/words.tsx'
import { PageThumbnail } from '../thumbnail/PageThumbnail.tsx'
import styles from './missing.module.css'

/** `isOfSeveral`: the list has misses of several jobs. */
export function useMissColumns(isOfSeveral: boolean): Column<JobMiss>[] {
  const t = useWords()
  return useMemo(() => {
    const job: Column<JobMiss> = {
      ...{ id: 'job', head: t('missing.jobs.job'), value: (miss) => miss.job, numeric: true, width: 70 },
    }
    return [
      {
        id: 'url',
        head: t('missing.url'),
        value: ({ url }) => url,
        cell: ({ url }) => <LongAddress address={url} />,
        widthMin: 320,
      },
      ...(isOfSeveral ? [job] : []),
      { id: 'type', head: t('missing.type'), value: ({ type }) => type, width: 90 },
      {
        id: 'state',
        head: t('missing.state'),
        value: ({ state }) => t(missStates.rows[state].badge),
        cell: ({ state }) => <StateBadge table={missStates} state={state} />,
        width: 150,
      },
      { id: 'reason', head: t('missing.why'), value: (miss) => whyOf(t, miss), wraps: true, widthMin: 240 },
      {
        id: 'page',
        head: t('missing.page'),
        value: ({ pages }) => pages.join(' '),
        cell: (miss) => <Wanting miss={miss} />,
        widthMin: 160,
      },
      { id: 'note', head: t('missing.note'), value: ({ note }) => note, width: 120 },
      { id: 'times', head: t('missing.times'), value: ({ times }) => times, numeric: true, width: 110 },
      {
        id: 'source',
        head: t('missing.source'),
        value: ({ source }) => t(`missing.source.${source}`),
        width: 100,
      },
      { id: 'last', head: t('missing.last'), value: ({ last }) => timeUtc(last), width: 172 },
    ]
  }, [t, isOfSeveral])
}

function whyOf(t: Translate, { why, patch, ignoredBy }: JobMiss): string {
  if (patch?.why) return t('missing.why.patch', { job: patch.job, why: t(patch.why) })
  return ignoredBy === null ? t(why) : t('missing.why.ignored', { why: t(why), pattern: ignoredBy })
}

/** The first page that wanted it, which opens with the job and its patch job; the pointer shows how it looked, and the others. */
function Wanting({ miss: { job, pages, patch } }: { miss: JobMiss }) {
  const t = useWords()
  const [page] = pages
  if (page === undefined) return null
  const jobs = patch === null ? [job] : [job, patch.job]
  const more = pages.length - 1
  return (
    <HoverCard openDelay={200} position="left" shadow="md">
      <HoverCard.Target>
        <a href={hrefOf({ place: 'viewer', jobs, url: page })} aria-description={pages.join(' ')}>
          {more === 0 ? page : t('missing.page.more', { page, more })}
        </a>
      </HoverCard.Target>
      <HoverCard.Dropdown className={styles.wanting}>
        <PageThumbnail job={job} url={page} className={styles.thumbnail} />
        {pages.map((each) => (
          <div key={each}>{each}</div>
        ))}
      </HoverCard.Dropdown>
    </HoverCard>
  )
}
