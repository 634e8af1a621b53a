/** The first step: the copies, the registered checksum, the votes, the affected captures, and whether a repair is possible. */
import { Button, Group } from '@mantine/core'
import { RefreshCw } from 'lucide-react'
import { useStore } from 'zustand'
import type { AffectedFile } from '../../../src-main/contract/services/archivedFiles.ts'
import type { AtticEntry } from '../../../src-main/contract/services/attic.ts'
import type { RepairPlan } from '../../../src-main/contract/services/repairs.ts'
import { isEndedRepair } from '../../../src-main/contract/states/repairStates.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { valueOf, type Loaded } from '../../state/loaded.ts'
import type { RepairFlowStore } from '../../state/repairFlow.ts'
import { unfinished } from '../../state/repairs.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type WordId } from '../../words/words.tsx'
import { VoteBadge } from '../copies/VoteBadge.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { ChecksumsCompared } from './ChecksumsCompared.tsx'
import { ConditionList } from './ConditionList.tsx'
import { ToneNote } from '../../parts/ToneNote.tsx'
import styles from './repair.module.css'
import { faultText } from '../../words/language.ts'

export function WhatIsWrong({ flow }: { flow: RepairFlowStore }) {
  const t = useWords()
  const { plan, affected, outcome, look, go } = useStore(flow)
  return (
    <>
      {plan.is === 'loading' && <p role="status">{t('repair.look.reading')}</p>}
      <Await of={plan} onRetry={() => void look()}>
        {(seen) => (
          <>
            <Interrupted plan={seen} />
            <Verdict plan={seen} />
            {outcome && isEndedRepair(outcome.state) && outcome.ended !== null && (
              <p className="dimmed wrap">
                {t('repair.lastOutcome', { at: timeUtc(outcome.ended), text: t(outcome.message) })}
              </p>
            )}
            <Found plan={seen} />
            <Group gap="xs" mt="md">
              {seen.kind !== 'right' && (
                <ActionButton why={seen.allowed ? null : t('repair.next.why')} onClick={() => go('expected')}>
                  {t('repair.next')}
                </ActionButton>
              )}
              <Button variant="default" leftSection={<RefreshCw size={16} aria-hidden />} onClick={() => void look()}>
                {t('repair.look.again')}
              </Button>
            </Group>
            <Votes affected={affected} />
            <Affected affected={affected} />
          </>
        )}
      </Await>
    </>
  )
}

/** The problem in one sentence, and the possible repair. */
function Verdict({ plan }: { plan: RepairPlan }) {
  const t = useWords()
  const { kind, replica, unreadable, allowed, source, conditions } = plan
  if (kind === 'right')
    return (
      <ToneNote tone="done" title={t('repair.look.right')}>
        {t('repair.look.right.text')}
      </ToneNote>
    )
  const title =
    kind === 'restore' ? 'repair.look.restore' : unreadable === null ? 'repair.look.replace' : 'repair.look.unreadable'
  if (allowed && source !== null)
    return (
      <ToneNote tone="attention" title={t(title, { replica })}>
        {t(`repair.look.allowed.${unreadable === null ? kind : 'unread'}`, { source })}
      </ToneNote>
    )
  const failed = conditions.filter(({ state }) => state === 'failed')
  return (
    <ToneNote tone="failed" title={`${t(title, { replica })}. ${t('repair.look.refused')}`}>
      <p>{t('repair.look.refused.text')}</p>
      <ConditionList conditions={failed} running={false} />
      <p>{t(todoOf(failed[0]?.condition))}</p>
    </ToneNote>
  )
}

function todoOf(condition: string | undefined): WordId {
  switch (condition) {
    case 'goodCopy':
    case 'majority':
    case 'replicaUsable':
      return `repair.look.todo.${condition}`
    default:
      return 'repair.look.todo.other'
  }
}

function Found({ plan: { kind, found, unreadable, registered } }: { plan: RepairPlan }) {
  const t = useWords()
  const nothing =
    unreadable !== null
      ? t('repair.found.unknown', { why: t(unreadable) })
      : t(kind === 'restore' ? 'repair.found.nothing' : 'repair.found.away')
  return (
    <ChecksumsCompared
      lines={[
        { name: t('repair.registered'), sha256: registered },
        { name: t('repair.found'), ...(found === null ? { text: nothing } : { sha256: found }) },
      ]}
    />
  )
}

function Votes({ affected }: { affected: Loaded<AffectedFile> }) {
  const t = useWords()
  const vote = valueOf(affected)?.vote
  if (!vote) return null
  const verdicts = [
    {
      who: t('repair.vote.registered'),
      verdict: vote.registeredVerdict,
      checksum: vote.registered,
    },
    ...vote.copies.map(({ replica, verdict, checksum }) => ({ who: replica, verdict, checksum })),
  ]
  return (
    <Section title={t('repair.vote')}>
      <p className="dimmed">{t('repair.vote.text', { needed: vote.needed, voters: verdicts.length })}</p>
      <ul className={styles.votes}>
        {verdicts.map(({ who, verdict, checksum }) => (
          <li key={who}>
            <span>{who}</span>
            <VoteBadge verdict={verdict} />
            <span className="mono wrap">{checksum ?? '–'}</span>
          </li>
        ))}
      </ul>
      <p className="wrap">{t(vote.message)}</p>
    </Section>
  )
}

/** Number of domains that are named; the others are counted. */
const domainsNamed = 5

function Affected({ affected }: { affected: Loaded<AffectedFile> }) {
  const t = useWords()
  const { bytes } = useFormats()
  return (
    <Section title={t('repair.affected')}>
      {affected.is === 'loading' && <p role="status">{t('repair.affected.loading')}</p>}
      {affected.is === 'refused' && <p role="alert">{faultText(affected.fault)}</p>}
      {affected.is === 'ready' && (
        <>
          <p>
            {affected.value.job !== null && (
              <>
                <a href={hrefOf({ place: 'job', job: affected.value.job })}>
                  {t('repair.affected.job', { job: affected.value.job })}
                </a>
                {' · '}
              </>
            )}
            <a href={hrefOf({ place: 'file', file: affected.value.name })}>{affected.value.name}</a>
            {` · ${bytes(affected.value.bytes)}`}
          </p>
          <Content content={affected.value.content} />
        </>
      )}
    </Section>
  )
}

function Content({ content }: { content: AffectedFile['content'] }) {
  const t = useWords()
  if (!content) return <p>{t('repair.affected.none')}</p>
  const { captures, domains, domainsTotal, withPayload, elsewhere, complete } = content
  const named = domains.slice(0, domainsNamed).map(({ domain }) => domain)
  const more = domainsTotal - named.length
  const names = [...named, ...(more > 0 ? [t('repair.affected.more', { count: more })] : [])].join(', ')
  return (
    <>
      <p className="wrap">
        {t('repair.affected.captures', { captures, domains: domainsTotal, names: names && `: ${names}` })}{' '}
        {withPayload > 0 && t('repair.affected.elsewhere', { withPayload, elsewhere })}
      </p>
      {!complete && <p>{t('repair.affected.least')}</p>}
    </>
  )
}

/** A repair of this copy that a kill or a failure left incomplete. */
function Interrupted({ plan: { name, replica, kind } }: { plan: RepairPlan }) {
  const t = useWords()
  const { repairs: store } = useSession()
  const { attic, outcomes } = useStore(store)
  const [entry] = unfinished(valueOf(attic) ?? [], outcomes).filter(
    (each) => each.name === name && each.replica === replica,
  )
  if (!entry || kind === 'right') return null
  return (
    <ToneNote tone="attention" title={t('repair.interrupted')}>
      <span className="wrap">{interruptedText(entry, t)}</span>
    </ToneNote>
  )
}

/** The location of the kept content is known as long as its replica is in the settings; copies of other replicas cannot be repaired. */
function interruptedText({ id, at, where, state }: AtticEntry, t: ReturnType<typeof useWords>): string {
  return t(`repair.interrupted.${state}`, { at: timeUtc(at), id, where: where ?? '–' })
}
