/** What each authority connection answered about a user, and the tokens of all of them. */
import { Text } from '@mantine/core'
import type { authorityStatuses } from '../../../src-main/contract/shapes/choices.ts'
import type { AuthorityAnswer, UserAccess } from '../../../src-main/contract/services/authorities.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'

const tones: Record<(typeof authorityStatuses)[number], Tone> = {
  OK: 'done',
  UNREACHABLE: 'failed',
  USERNOTFOUND: 'attention',
  USERUNAUTHORIZED: 'attention',
}

export function UserAnswers({ access: { answers, tokens } }: { access: UserAccess }) {
  const t = useWords()
  const columns = useColumns()
  return (
    <>
      <Section title={t('userAccess.answers')}>
        <Table
          label={t('userAccess.answers')}
          rows={answers}
          columns={columns}
          rowKey={({ authority, domain }) => `${authority} ${domain}`}
          tools={answers.length > 5}
          heightMax={320}
          empty={<EmptyState title={t('userAccess.noAnswers')} text={t('userAccess.noAnswers.text')} />}
        />
      </Section>
      <Section title={t('userAccess.allTokens')}>
        {tokens.length === 0 ? (
          <Text size="sm">{t('userAccess.allTokens.none')}</Text>
        ) : (
          <Text size="sm" className="wrap mono">
            {tokens.join(', ')}
          </Text>
        )}
      </Section>
    </>
  )
}

function useColumns(): Column<AuthorityAnswer>[] {
  const t = useWords()
  return [
    { id: 'authority', head: t('userAccess.authority'), value: ({ authority }) => authority, stays: true },
    { id: 'group', head: t('authorities.group'), value: ({ group }) => group },
    { id: 'domain', head: t('userAccess.domain'), value: ({ domain }) => domain || t('access.default') },
    { id: 'asked', head: t('userAccess.asked'), value: ({ user }) => user ?? t('userAccess.asked.none'), wraps: true },
    {
      ...{ id: 'status', head: t('userAccess.answer'), width: 160 },
      value: ({ status }) => t(`userAccess.status.${status}`),
      cell: ({ status }) => <ToneBadge tone={tones[status]} text={t(`userAccess.status.${status}`)} />,
    },
    { id: 'tokens', head: t('userAccess.tokens'), value: ({ tokens }) => tokens.join(', '), wraps: true },
    {
      ...{ id: 'problem', head: t('userAccess.problem'), wraps: true },
      value: ({ problem }) => (problem ? t(problem) : ''),
    },
    {
      ...{
        id: 'time',
        head: t('userAccess.time'),
        value: ({ milliseconds }) => milliseconds,
        width: 90,
        numeric: true,
      },
      cell: ({ milliseconds }) => t('userAccess.milliseconds', { count: milliseconds }),
    },
  ]
}
