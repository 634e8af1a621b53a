/** The accounts of a server, with their roles. */
import { Group, Text } from '@mantine/core'
import { KeyRound, Plus, Trash2, UserCog } from 'lucide-react'
import { useCallback, useState } from 'react'
import { roles } from '../../../src-main/contract/calls/caller.ts'
import type { AccountRow } from '../../../src-main/contract/services/accounts.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { IconAction } from '../../parts/IconAction.tsx'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useRemoval } from '../../parts/useRemoval.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { AccountDialog } from './AccountDialog.tsx'
import type { AccountTask } from './accountDraft.ts'

export function AccountList() {
  const t = useWords()
  const { services } = useSession()
  const [accounts, reload] = useLoaded(useCallback(() => services.accounts.list({}), [services]))
  const [task, setTask] = useState<AccountTask | null>(null)
  const columns = useColumns(setTask, reload)
  const add = (
    <ActionButton
      size="xs"
      needs="accounts.add"
      leftSection={<Plus size={14} aria-hidden />}
      onClick={() => setTask({ is: 'add' })}
    >
      {t('accounts.add')}
    </ActionButton>
  )
  return (
    <Section title={t('access.tab.accounts')} actions={add}>
      <Text maw="75ch" mb="md">
        {t('accounts.text')}
      </Text>
      <Await of={accounts} onRetry={reload}>
        {(rows) => (
          <Table
            label={t('access.tab.accounts')}
            rows={rows}
            columns={columns}
            rowKey={({ name }) => name}
            tools={rows.length > 5}
            heightMax="calc(100vh - 320px)"
            empty={<EmptyState title={t('accounts.empty')} text={t('accounts.empty.text')} />}
          />
        )}
      </Await>
      <AccountDialog task={task} onClose={() => setTask(null)} onSaved={reload} />
    </Section>
  )
}

function useColumns(onTask: (task: AccountTask) => void, onChanged: () => void): Column<AccountRow>[] {
  const t = useWords()
  const { services } = useSession()
  const remove = useRemoval()
  const removeOne = async ({ name, sessions }: AccountRow) => {
    const each = [{ name, remove: () => services.accounts.remove({ name }) }]
    const text = t('accounts.remove.text', { sessions })
    if ((await remove({ title: t('accounts.remove.title', { name }), text, each })) > 0) onChanged()
  }
  return [
    { id: 'name', head: t('access.name'), value: ({ name }) => name, stays: true },
    {
      ...{ id: 'roles', head: t('accounts.roles'), wraps: true },
      value: ({ roles: own }) =>
        roles
          .filter((role) => own.includes(role))
          .map((role) => t(`accounts.role.${role}`))
          .join(', '),
    },
    { id: 'sessions', head: t('accounts.sessions'), value: ({ sessions }) => sessions, width: 100, numeric: true },
    {
      ...{ id: 'added', head: t('accounts.added'), value: ({ added }: AccountRow) => added, width: 190 },
      cell: ({ added }) => timeUtc(added),
    },
    {
      ...{ id: 'passwordSet', head: t('accounts.passwordSet'), width: 190 },
      value: ({ passwordSet }) => passwordSet,
      cell: ({ passwordSet }) => timeUtc(passwordSet),
    },
    {
      ...{ id: 'actions', head: t('access.actions'), value: () => null, width: 150 },
      cell: (row) => (
        <Group gap={4} wrap="nowrap">
          <IconAction
            icon={UserCog}
            needs="accounts.setRoles"
            name={t('accounts.setRoles', { name: row.name })}
            onClick={() => onTask({ is: 'roles', row })}
          />
          <IconAction
            icon={KeyRound}
            needs="accounts.setPassword"
            name={t('accounts.setPassword', { name: row.name })}
            onClick={() => onTask({ is: 'password', row })}
          />
          <IconAction
            icon={Trash2}
            needs="accounts.remove"
            name={t('accounts.remove', { name: row.name })}
            onClick={() => void removeOne(row)}
          />
        </Group>
      ),
    },
  ]
}
