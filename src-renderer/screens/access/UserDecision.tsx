/** Whether a user may see a capture: what the rules of each group say, and why. */
import type { GroupDecision, SecurityDecision } from '../../../src-main/contract/services/security.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { ruleJob, rulePrefix } from './ruleText.ts'
import { ruleReason, tokensOfGroup } from './ruleReason.ts'

export function UserDecision({ url, decision }: { url: string; decision: SecurityDecision }) {
  const t = useWords()
  const { maySee, message, groups, access } = decision
  return (
    <Section title={t('userAccess.decision', { url })}>
      <p role="status" className="wrap">
        <ToneBadge
          tone={maySee ? 'done' : 'failed'}
          text={maySee ? t('userAccess.maySee') : t('userAccess.mayNotSee')}
        />{' '}
        {t(message)}
      </p>
      {groups.map((group) => (
        <GroupRules key={group.group} decision={group} tokens={access.tokens} />
      ))}
    </Section>
  )
}

type Level = GroupDecision['levels'][number]

function GroupRules({ decision, tokens }: { decision: GroupDecision; tokens: readonly string[] }) {
  const t = useWords()
  const { group, levels } = decision
  const held = tokensOfGroup(tokens, group)
  const columns: Column<Level>[] = [
    { id: 'level', head: t('rules.level'), value: ({ level }) => t(`rules.level.${level}`), width: 110 },
    {
      ...{ id: 'answer', head: t('userAccess.answer'), width: 120 },
      value: ({ isAgreed }) => (isAgreed ? t('userAccess.agrees') : t('userAccess.refuses')),
      cell: ({ isAgreed }) =>
        isAgreed ? (
          <ToneBadge tone="done" text={t('userAccess.agrees')} />
        ) : (
          <ToneBadge tone="failed" text={t('userAccess.refuses')} />
        ),
    },
    {
      id: 'why',
      head: t('userAccess.why'),
      value: ({ rule }) => ruleReason(t, rule, held),
      wraps: true,
      widthMin: 220,
    },
    {
      ...{ id: 'rule', head: t('rules.form'), wraps: true },
      value: ({ rule }) =>
        [t('userAccess.rule', { rule: rule.rule }), ruleJob(t, rule), rulePrefix(t, rule)].join(' · '),
    },
    { id: 'allow', head: t('rules.allow'), value: ({ rule }) => rule.allow.join(', '), wraps: true },
    { id: 'deny', head: t('rules.deny'), value: ({ rule }) => rule.deny.join(', '), wraps: true },
  ]
  return (
    <Section title={t('userAccess.group', { group })}>
      <Table
        label={t('userAccess.group', { group })}
        rows={levels}
        columns={columns}
        rowKey={({ level }) => level}
        tools={false}
        heightMax={320}
      />
    </Section>
  )
}
