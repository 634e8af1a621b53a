/** All pages of the view with their titles, searchable by address or title; each opens in a tab of its own. */
import { Modal, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { LongAddress } from '../../parts/LongAddress.tsx'
import { PagedTable } from '../../parts/PagedTable.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { typingPauseMs } from '../../parts/typing.ts'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import styles from './viewer.module.css'

type PageRow = Awaited<ReturnType<Loupe['viewer']['pages']>>['rows'][number]

/** Each title is read from the record of its page. */
const pagesPerAnswer = 50

interface PageListDialogProps {
  opened: boolean
  onClose: () => void
}

export function PageListDialog({ opened, onClose }: PageListDialogProps) {
  const t = useWords()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="min(1120px, 92vw)"
      title={t('pages.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <PageList onChosen={onClose} />
    </Modal>
  )
}

function PageList({ onChosen }: { onChosen: () => void }) {
  const t = useWords()
  const { services, view: store } = useSession()
  const { openTab } = useStore(store)
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), typingPauseMs)
  const [titles, setTitles] = useState({ read: 0, total: 0 })
  const [leftOut, setLeftOut] = useState(0)
  const pages = useMemo(
    () =>
      makePages<PageRow>(async (page) => {
        const answer = await services.viewer.pages({ text, ...page })
        setTitles(answer.titles)
        setLeftOut(answer.leftOut)
        return answer
      }, pagesPerAnswer),
    [services, text],
  )
  useEffect(
    () =>
      services.viewer.titlesRead((now) => {
        setTitles(now)
        // There may be more pages, or more that match.
        if (text !== '' || now.total > (pages.getState().total ?? Infinity)) pages.getState().refresh()
      }),
    [services, pages, text],
  )
  const columns: Column<PageRow>[] = [
    {
      id: 'url',
      head: t('pages.column.url'),
      value: ({ url }) => url,
      cell: ({ url }) => (
        <UnstyledButton
          className={`${styles.linkButton} ${styles.pageLink}`}
          // Keeps a screen reader from pausing between the parts of a long address.
          aria-label={url}
          onClick={() => {
            onChosen()
            openTab(url)
          }}
        >
          <LongAddress address={url} />
        </UnstyledButton>
      ),
      widthMin: 320,
    },
    { id: 'title', head: t('pages.column.title'), value: ({ title }) => title, widthMin: 220 },
    {
      id: 'captured',
      head: t('pages.column.captured'),
      value: ({ captured }) => timeUtc(captured),
      width: 180,
    },
    {
      id: 'status',
      head: t('pages.column.status'),
      value: ({ status }) => status,
      cell: ({ status }) => <ToneBadge tone={status < 400 ? 'done' : 'attention'} text={String(status)} />,
      width: 90,
    },
  ]
  return (
    <>
      <TextInput
        aria-label={t('pages.filter')}
        placeholder={t('pages.filter')}
        leftSection={<Search size={16} aria-hidden />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maw={400}
        data-autofocus
      />
      <Text size="sm" c="dimmed" role="status">
        {titles.read < titles.total && t('pages.titles', titles)}
      </Text>
      {leftOut > 0 && (
        <Text size="sm" c="dimmed">
          {t('pages.leftOut', { listed: titles.total, all: titles.total + leftOut })}
        </Text>
      )}
      <PagedTable
        label={t('pages.list')}
        pages={pages}
        columns={columns}
        empty={<EmptyState title={t('pages.none')} text={t('pages.none.text')} />}
        heightMax="60vh"
      />
    </>
  )
}
