/** The connections of one kind, with a check of each. */
import { Group, Text } from '@mantine/core'
import { Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type {
  AuthorityCheck,
  AuthorityConnectionRow,
  AuthorityKind,
} from '../../../src-main/contract/services/authorities.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { IconAction } from '../../parts/IconAction.tsx'
import { RowActions } from '../../parts/RowActions.tsx'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useRemoval } from '../../parts/useRemoval.ts'
import { loadedFrom, loading, type Loaded } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { faultText } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'
import type { AuthorityParts } from './authorityParts.ts'
import { AuthorityDialog } from './AuthorityDialog.tsx'
import { connectorTitle } from './connectorTitle.ts'

interface AuthorityConnectionsProps {
  kind: AuthorityKind
  parts: AuthorityParts
  onChanged: () => void
}

/** Answers of checks by the name of the connection; absent: not checked. */
type Checks = Readonly<Record<string, Loaded<AuthorityCheck>>>

export function AuthorityConnections({ kind, parts, onChanged }: AuthorityConnectionsProps) {
  const t = useWords()
  const { services } = useSession()
  const [edited, setEdited] = useState<AuthorityConnectionRow | 'new' | null>(null)
  const [checks, setChecks] = useState<Checks>({})
  const check = async ({ name }: AuthorityConnectionRow) => {
    setChecks((before) => ({ ...before, [name]: loading }))
    const answer = await loadedFrom(services.authorities.check({ kind, name }))
    setChecks((before) => ({ ...before, [name]: answer }))
  }
  const columns = useColumns({ kind, checks, onEdit: setEdited, onCheck: check, onChanged })
  const rows = parts.connections.filter((row) => row.kind === kind)
  const groups = parts.groups.length
  return (
    <Section
      title={t(`authorities.${kind}.title`)}
      actions={
        <ActionButton
          size="xs"
          needs="authorities.add"
          why={kind === 'authority' && groups === 0 ? t('authorities.group.none') : null}
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setEdited('new')}
        >
          {t(`authorities.${kind}.add`)}
        </ActionButton>
      }
    >
      <Table
        label={t(`authorities.${kind}.title`)}
        rows={rows}
        columns={columns}
        rowKey={({ name }) => name}
        tools={rows.length > 5}
        heightMax={320}
        empty={
          <EmptyState title={t(`authorities.${kind}.empty`)} text={t(`authorities.${kind}.empty.text`, { groups })} />
        }
      />
      <AuthorityDialog
        kind={kind}
        edited={edited}
        parts={parts}
        onClose={() => setEdited(null)}
        onSaved={(name) => {
          // What was checked may be another connection now.
          setChecks(({ [name]: _, ...others }) => others)
          onChanged()
        }}
      />
    </Section>
  )
}

interface ColumnsOptions {
  kind: AuthorityKind
  checks: Checks
  onEdit: (row: AuthorityConnectionRow) => void
  onCheck: (row: AuthorityConnectionRow) => Promise<void>
  onChanged: () => void
}

function useColumns(options: ColumnsOptions): Column<AuthorityConnectionRow>[] {
  const { kind, checks, onEdit, onCheck, onChanged } = options
  const t = useWords()
  const { services } = useSession()
  const remove = useRemoval()
  const removeOne = async ({ name }: AuthorityConnectionRow) => {
    const each = [{ name, remove: () => services.authorities.remove({ kind, name }) }]
    const text = t(`authorities.${kind}.remove.text`)
    if ((await remove({ title: t(`authorities.${kind}.remove`, { name }), text, each })) > 0) onChanged()
  }
  const ofAuthorities: Column<AuthorityConnectionRow>[] = [
    { id: 'group', head: t('authorities.group'), value: (row) => (row.kind === 'authority' ? row.group : null) },
    {
      ...{ id: 'domain', head: t('authorities.domain') },
      value: (row) => (row.kind === 'authority' ? row.domain || t('access.default') : null),
    },
  ]
  return [
    { id: 'name', head: t('access.name'), value: ({ name }) => name, stays: true },
    { id: 'connector', head: t('authorities.connector'), value: ({ connector }) => connectorTitle(t, connector) },
    ...(kind === 'authority' ? ofAuthorities : []),
    { id: 'mapping', head: t('authorities.mapping'), value: ({ mapping }) => mapping ?? '', widthMin: 200 },
    {
      ...{ id: 'check', head: t('authorities.checked'), value: () => null, wraps: true, widthMin: 220 },
      cell: ({ name }) => <CheckAnswer check={checks[name]} />,
    },
    {
      ...{ id: 'actions', head: t('access.actions'), value: () => null, width: 150 },
      cell: (row) => (
        <RowActions
          edit={t(`authorities.${kind}.edit`, { name: row.name })}
          remove={t(`authorities.${kind}.remove`, { name: row.name })}
          needs={{ edit: 'authorities.edit', remove: 'authorities.remove' }}
          onEdit={() => onEdit(row)}
          onRemove={() => void removeOne(row)}
        >
          <IconAction
            icon={RefreshCw}
            needs="authorities.check"
            name={t('authorities.check', { name: row.name })}
            onClick={() => void onCheck(row)}
          />
        </RowActions>
      ),
    },
  ]
}

function CheckAnswer({ check }: { check: Loaded<AuthorityCheck> | undefined }) {
  const t = useWords()
  if (!check) return <span className="dimmed">{t('authorities.unchecked')}</span>
  if (check.is === 'loading') return <span role="status">{t('authorities.checking')}</span>
  const isWorking = check.is === 'ready' && check.value.isWorking
  const problem = check.is === 'ready' ? t(check.value.status) : faultText(check.fault)
  return (
    <Group gap="xs" role="status">
      {isWorking ? (
        <ToneBadge tone="done" text={t('authorities.check.working')} />
      ) : (
        <ToneBadge tone="failed" text={t('authorities.check.failing')} />
      )}
      {!isWorking && (
        <Text size="sm" span>
          {problem}
        </Text>
      )}
    </Group>
  )
}
