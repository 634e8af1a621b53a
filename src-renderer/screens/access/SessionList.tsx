/** Accounts that are logged in, and the button that ends a session. */
import { Button, Text } from '@mantine/core'
import { LogOut, RefreshCw } from 'lucide-react'
import { useCallback } from 'react'
import type { SessionRow } from '../../../src-main/contract/services/accounts.ts'
import { Await } from '../../parts/Await.tsx'
import { useConfirm } from '../../parts/confirm.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { IconAction } from '../../parts/IconAction.tsx'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSending } from '../../parts/useSending.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

export function SessionList() {
  const t = useWords()
  const { services } = useSession()
  const [sessions, reload] = useLoaded(useCallback(() => services.sessions.list({}), [services]))
  const { refusal, revoke } = useRevoking(reload)
  const columns = useColumns((row) => void revoke(row))
  const refresh = (
    <Button size="xs" variant="default" leftSection={<RefreshCw size={14} aria-hidden />} onClick={reload}>
      {t('sessions.refresh')}
    </Button>
  )
  return (
    <Section title={t('access.tab.sessions')} actions={refresh}>
      <Text maw="75ch" mb="md">
        {t('sessions.text')}
      </Text>
      {refusal && <FaultNote fault={refusal} />}
      <Await of={sessions} onRetry={reload}>
        {(rows) => (
          <Table
            label={t('access.tab.sessions')}
            rows={rows}
            columns={columns}
            rowKey={({ session }) => session}
            tools={rows.length > 5}
            heightMax="calc(100vh - 320px)"
            empty={<EmptyState title={t('sessions.empty')} text={t('sessions.empty.text')} />}
          />
        )}
      </Await>
    </Section>
  )
}

function useRevoking(onChanged: () => void) {
  const t = useWords()
  const { services } = useSession()
  const confirm = useConfirm()
  const { refusal, send } = useSending()
  async function revoke({ session, account, isOwn }: SessionRow): Promise<void> {
    const text = isOwn ? t('sessions.revoke.own') : t('sessions.revoke.text', { account })
    const title = t('sessions.revoke.title', { account })
    if (!(await confirm({ title, text, verb: t('sessions.revoke.verb') }))) return
    await send(() => services.sessions.revoke({ session }))
    onChanged()
  }
  return { refusal, revoke }
}

function useColumns(onRevoke: (row: SessionRow) => void): Column<SessionRow>[] {
  const t = useWords()
  return [
    {
      ...{ id: 'account', head: t('sessions.account'), value: ({ account }: SessionRow) => account, wraps: true },
      cell: ({ account, isOwn }) => (
        <>
          {account} {isOwn && <ToneBadge tone="running" text={t('sessions.own')} />}
        </>
      ),
    },
    { id: 'address', head: t('sessions.address'), value: ({ address }) => address, width: 160 },
    { id: 'client', head: t('sessions.client'), value: ({ client }) => client },
    {
      ...{ id: 'begun', head: t('sessions.begun'), value: ({ begun }: SessionRow) => begun, width: 190 },
      cell: ({ begun }) => timeUtc(begun),
    },
    {
      ...{ id: 'seen', head: t('sessions.seen'), value: ({ seen }: SessionRow) => seen, width: 190 },
      cell: ({ seen }) => timeUtc(seen),
    },
    {
      ...{ id: 'actions', head: t('access.actions'), value: () => null, width: 90 },
      cell: (row) => (
        <IconAction
          icon={LogOut}
          needs="sessions.revoke"
          name={t('sessions.revoke', { session: row.session, account: row.account })}
          onClick={() => onRevoke(row)}
        />
      ),
    },
  ]
}
