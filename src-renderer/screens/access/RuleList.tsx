/** The security rules: which access tokens captures need. */
import { Text } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { SecurityRule } from '../../../src-main/contract/services/security.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { RowActions } from '../../parts/RowActions.tsx'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useRemoval } from '../../parts/useRemoval.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { RuleDialog } from './RuleDialog.tsx'
import { ruleJob, rulePlace, rulePrefix } from './ruleText.ts'

export function RuleList() {
  const t = useWords()
  const { services } = useSession()
  const [rules, reload] = useLoaded(useCallback(() => services.security.rules({}), [services]))
  const [groups] = useLoaded(useCallback(() => services.authorities.groups({}), [services]))
  useChanges(services.security.changed, reload)
  const [edited, setEdited] = useState<SecurityRule | 'new' | null>(null)
  const columns = useColumns(setEdited, reload)
  const names = (valueOf(groups) ?? []).map(({ name }) => name)
  const add = (
    <ActionButton
      size="xs"
      needs="security.set"
      why={groups.is === 'ready' && names.length === 0 ? t('rules.noGroups') : null}
      leftSection={<Plus size={14} aria-hidden />}
      onClick={() => setEdited('new')}
    >
      {t('rules.add')}
    </ActionButton>
  )
  return (
    <Section title={t('access.tab.rules')} actions={add}>
      <Text maw="75ch" mb="md">
        {t('rules.text')}
      </Text>
      <Await of={rules} onRetry={reload}>
        {(rows) => (
          <Table
            label={t('access.tab.rules')}
            rows={rows}
            columns={columns}
            rowKey={({ rule }) => rule}
            tools={rows.length > 5}
            heightMax="calc(100vh - 340px)"
            empty={<EmptyState title={t('rules.empty')} text={t('rules.empty.text')} />}
          />
        )}
      </Await>
      <RuleDialog edited={edited} groups={names} onClose={() => setEdited(null)} onSaved={reload} />
    </Section>
  )
}

function useColumns(onEdit: (rule: SecurityRule) => void, onChanged: () => void): Column<SecurityRule>[] {
  const t = useWords()
  const { services } = useSession()
  const remove = useRemoval()
  const removeOne = async (row: SecurityRule) => {
    const { rule } = row
    const title = t('rules.remove.title', { rule, place: rulePlace(t, row) })
    const each = [{ name: String(rule), remove: () => services.security.remove({ rule }) }]
    if ((await remove({ title, text: t('rules.remove.text'), each })) > 0) onChanged()
  }
  return [
    { id: 'job', head: t('rules.job'), value: (row) => ruleJob(t, row), width: 110 },
    { id: 'prefix', head: t('rules.prefix'), value: (row) => rulePrefix(t, row), wraps: true },
    { id: 'level', head: t('rules.level'), value: ({ level }) => t(`rules.level.${level}`), width: 110 },
    { id: 'group', head: t('rules.group'), value: ({ group }) => group },
    { id: 'allow', head: t('rules.allow'), value: ({ allow }) => allow.join(', '), wraps: true },
    { id: 'deny', head: t('rules.deny'), value: ({ deny }) => deny.join(', '), wraps: true },
    {
      ...{ id: 'actions', head: t('access.actions'), value: () => null, width: 120 },
      cell: (row) => (
        <RowActions
          edit={t('rules.edit', { rule: row.rule })}
          remove={t('rules.remove', { rule: row.rule })}
          needs={{ edit: 'security.set', remove: 'security.remove' }}
          onEdit={() => onEdit(row)}
          onRemove={() => void removeOne(row)}
        />
      ),
    },
  ]
}
