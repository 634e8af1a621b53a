/** Notifications: what people were told without having asked, and through which channels. */
import { Group } from '@mantine/core'
import { CheckCheck } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { notificationKindMessage, type NotificationRow } from '../../../src-main/contract/services/notifications.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FilteredPages } from '../../parts/FilteredPages.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { hrefOf } from '../../routes/routes.ts'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { notificationPlace } from './notificationPlace.ts'

const tones: Record<NotificationRow['severity'], Tone> = { info: 'idle', warning: 'attention', error: 'failed' }

export function NotificationList() {
  const t = useWords()
  const { services } = useSession()
  const [unread, setUnread] = useState(0)
  const fetchPage = useMemo(
    () => async (page: { offset: number; limit: number }) => {
      const listed = await services.notifications.list(page)
      setUnread(listed.unread)
      return listed
    },
    [services],
  )
  const pages = useMemo(() => makePages(fetchPage), [fetchPage])
  const { rows } = useStore(pages)
  useEffect(() => pages.getState().refresh(), [pages])
  useChanges(services.notifications.changed, () => pages.getState().refresh())
  const newest = rows.get(0)?.id
  return (
    <Section title={t('notifications.title')}>
      <FilteredPages
        label={t('notifications.title')}
        columns={useColumns()}
        pages={pages}
        fetchPage={fetchPage}
        heightMax={320}
        empty={<EmptyState title={t('notifications.none')} text={t('notifications.none.text')} />}
        actions={
          <Group gap="xs">
            {unread > 0 && (
              <span className="dimmed tabular" role="status">
                {t('notifications.unread', { unread })}
              </span>
            )}
            <ActionButton
              size="xs"
              variant="default"
              leftSection={<CheckCheck size={14} aria-hidden />}
              why={unread === 0 || newest === undefined ? t('notifications.read.why') : null}
              onClick={() => newest !== undefined && void services.notifications.markRead({ upTo: newest })}
            >
              {t('notifications.markRead')}
            </ActionButton>
          </Group>
        }
      />
    </Section>
  )
}

function useColumns(): Column<NotificationRow>[] {
  const t = useWords()
  return useMemo(
    (): Column<NotificationRow>[] => [
      { id: 'at', head: t('system.time'), value: ({ at }) => at, cell: ({ at }) => timeUtc(at), width: 180 },
      {
        ...{ id: 'kind', head: t('notifications.kind'), width: 260 },
        value: ({ kind }) => t(notificationKindMessage(kind)),
        cell: ({ kind, severity }) => <ToneBadge tone={tones[severity]} text={t(notificationKindMessage(kind))} />,
      },
      {
        ...{ id: 'text', head: t('system.text'), wraps: true },
        value: ({ message }) => t(message),
        cell: (row) => <NotificationText row={row} />,
      },
      { id: 'times', head: t('notifications.times'), value: ({ times }) => times, numeric: true, width: 80 },
      { id: 'sent', head: t('notifications.sent'), value: (row) => sentText(t, row), wraps: true },
    ],
    [t],
  )
}

function NotificationText({ row: { message, isRead } }: { row: NotificationRow }) {
  const t = useWords()
  const place = notificationPlace(message)
  return (
    <>
      {isRead ? t(message) : <strong>{t(message)}</strong>}{' '}
      {place && <a href={hrefOf(place)}>{t('notifications.toPlan')}</a>}
    </>
  )
}

function sentText(t: Translate, { deliveries }: NotificationRow): string {
  return deliveries
    .map(({ channel, recipient, state, problem }) => {
      const name = recipient === '' ? channel : `${channel} ${recipient}`
      return t(`notifications.${state}`, { channel: name, problem: problem === null ? '' : t(problem) })
    })
    .join(', ')
}
