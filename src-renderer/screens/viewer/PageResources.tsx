/** Resources of the page, in groups that can be collapsed or sorted by time difference. */
import { SegmentedControl, UnstyledButton } from '@mantine/core'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { Answer, Miss } from '../../../src-main/contract/services/viewer.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { VirtualList } from '../../parts/VirtualList.tsx'
import { valueOf } from '../../state/loaded.ts'
import {
  byDistance,
  distanceMsMaxOf,
  groupOf,
  isUnreadable,
  pageGroups,
  unreadableOf,
  type PageGroup,
} from '../../state/pageGroups.ts'
import { useSession } from '../../state/session.tsx'
import { shownTab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'
import { FilterField, isWanted } from './FilteredList.tsx'
import type { ShowOverlay } from './overlay.ts'
import { AnswerRow, MissingRow } from './ResourceRows.tsx'
import styles from './viewer.module.css'

export const resourceOrders = ['group', 'distance'] as const
export type ResourceOrder = (typeof resourceOrders)[number]

interface PageResourcesProps {
  order: ResourceOrder
  onOrder: (order: ResourceOrder) => void
  onShow: ShowOverlay
}

type Line = { is: 'head'; group: PageGroup; count: number } | { is: 'answer'; answer: Answer }

export function PageResources({ order, onOrder, onShow }: PageResourcesProps) {
  const t = useWords()
  const { view: store, settings } = useSession()
  const distanceMsMax = distanceMsMaxOf(valueOf(useStore(settings).settings))
  const state = useStore(store)
  const { resources, page } = shownTab(state)
  const misses = valueOf(state.misses) ?? []
  const known = valueOf(state.errors)
  const errors = useMemo(() => known ?? [], [known])
  const [filter, setFilter] = useState('')
  const [folded, setFolded] = useState<readonly PageGroup[]>([])
  const lines = useMemo(() => {
    const wanted = resources.filter(({ url, mediaType, resourceType }) =>
      isWanted(`${url} ${mediaType} ${resourceType}`, filter),
    )
    if (order === 'distance') return byDistance(wanted, page).map((answer): Line => ({ is: 'answer', answer }))
    const groups = Map.groupBy(wanted, (answer) => groupOf(answer, { page, errors, distanceMsMax }))
    return pageGroups.flatMap((group): Line[] => {
      const answers = groups.get(group) ?? []
      if (answers.length === 0) return []
      const shown = folded.includes(group) ? [] : answers
      return [{ is: 'head', group, count: answers.length }, ...shown.map((answer): Line => ({ is: 'answer', answer }))]
    })
  }, [resources, page, errors, distanceMsMax, filter, order, folded])

  if (resources.length === 0)
    return <EmptyState title={t('resources.page.none')} text={t('resources.page.none.text')} />
  return (
    <>
      <div className={styles.listTools}>
        <FilterField label={t('resources.page.list')} value={filter} onChange={setFilter} />
        <SegmentedControl
          size="xs"
          aria-label={t('resources.order')}
          data={resourceOrders.map((value) => ({ value, label: t(`resources.order.${value}`) }))}
          value={order}
          onChange={onOrder}
        />
      </div>
      <VirtualList
        label={t('resources.page.list')}
        rows={lines}
        rowKey={(line) => (line.is === 'head' ? line.group : line.answer.id)}
      >
        {(line) =>
          line.is === 'head' ? (
            <GroupHead
              {...line}
              isFolded={folded.includes(line.group)}
              onFold={(isFolded) =>
                setFolded(isFolded ? [...folded, line.group] : folded.filter((group) => group !== line.group))
              }
            />
          ) : line.answer.by === 'missing' && !isUnreadable(line.answer) ? (
            <MissingRow
              missing={line.answer}
              miss={missOf(misses, line.answer)}
              answer={line.answer.id}
              onShow={onShow}
            />
          ) : (
            <AnswerRow
              answer={line.answer}
              page={page}
              unreadable={unreadableOf(line.answer, errors)}
              onShow={onShow}
            />
          )
        }
      </VirtualList>
    </>
  )
}

interface GroupHeadProps {
  group: PageGroup
  count: number
  isFolded: boolean
  onFold: (isFolded: boolean) => void
}

function GroupHead({ group, count, isFolded, onFold }: GroupHeadProps) {
  const t = useWords()
  const Symbol = isFolded ? ChevronRight : ChevronDown
  return (
    <UnstyledButton className={styles.groupHead} aria-expanded={!isFolded} onClick={() => onFold(!isFolded)}>
      <Symbol size={16} aria-hidden />
      <span>{t(`resources.group.${group}`)}</span>
      <span className={`${styles.groupCount} tabular`}>{count}</span>
    </UnstyledButton>
  )
}

/** A response does not say why it is missing; the list of missing resources does, once it has been loaded again. */
function missOf(misses: readonly Miss[], { url, referrer }: Answer): Miss | undefined {
  const same = misses.filter((miss) => miss.url === url)
  return same.find((miss) => miss.referrer === referrer) ?? same[0]
}
