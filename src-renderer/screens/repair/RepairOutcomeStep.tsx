/** The last step: the outcome, what was changed, where it is recorded, and what to do next. */
import { Button, Group } from '@mantine/core'
import { RefreshCw } from 'lucide-react'
import { useStore } from 'zustand'
import type { RepairOutcome } from '../../../src-main/contract/services/repairs.ts'
import { endOfRepair, isEndedRepair } from '../../../src-main/contract/states/repairStates.ts'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { valueOf } from '../../state/loaded.ts'
import type { RepairFlowStore } from '../../state/repairFlow.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { ConditionList } from './ConditionList.tsx'
import { ToneNote } from '../../parts/ToneNote.tsx'
import styles from './repair.module.css'

export function RepairOutcomeStep({ flow }: { flow: RepairFlowStore }) {
  const t = useWords()
  const { outcome, look } = useStore(flow)
  if (!outcome || !isEndedRepair(outcome.state)) return null
  const { state, message, conditions, attic, audit } = outcome
  return (
    <>
      <ToneNote tone={endOfRepair(state).tone} title={t(`repair.end.${state}`)}>
        <p className="wrap">{t(message)}</p>
        {state !== 'REPAIRED' && <p>{t(`repair.end.${state}.todo`)}</p>}
      </ToneNote>
      <OutcomeFacts outcome={outcome} />
      <Group gap="xs" mt="md">
        <Button component="a" href={hrefOf({ place: 'archive', tab: 'repair' })}>
          {t('repair.end.list')}
        </Button>
        {attic !== null && (
          <Button component="a" variant="default" href={hrefOf({ place: 'archive', tab: 'attic' })}>
            {t('repair.end.seeAttic')}
          </Button>
        )}
        {audit !== null && (
          <Button component="a" variant="default" href={hrefOf({ place: 'archive', tab: 'audit' })}>
            {t('repair.end.seeAudit')}
          </Button>
        )}
        <Button variant="default" leftSection={<RefreshCw size={16} aria-hidden />} onClick={() => void look()}>
          {t('repair.look.again')}
        </Button>
      </Group>
      <Section title={t('repair.step.conditions')}>
        <ConditionList conditions={conditions} running={false} label={t('repair.step.conditions')} />
      </Section>
    </>
  )
}

function OutcomeFacts({ outcome }: { outcome: RepairOutcome }) {
  const t = useWords()
  const { repairs: store } = useSession()
  const entries = valueOf(useStore(store).attic)
  const { state, source, attic, audit, ended } = outcome
  // Unknown until the list of the attic has been loaded again after the repair.
  const where = entries?.find(({ id }) => id === attic)?.where ?? null
  return (
    <div className={styles.outcomeFacts}>
      <Facts
        facts={[
          ...(source !== null && state !== 'REFUSED' ? [{ name: t('repair.end.source'), value: source }] : []),
          {
            name: t('repair.end.audit'),
            value: audit === null ? t('repair.end.audit.none') : t('repair.end.audit.entry', { audit }),
          },
          { name: t('repair.end.ended'), value: ended === null ? '–' : timeUtc(ended) },
        ]}
      />
      {(attic !== null || state === 'REPAIRED') && (
        <dl className={styles.atticLines}>
          <div>
            <dt>{t('repair.end.attic')}</dt>
            <dd className="wrap">
              {attic === null
                ? t('repair.end.attic.none')
                : where === null
                  ? t('repair.end.attic.entry', { id: attic })
                  : t('repair.end.attic.where', { id: attic, where })}
            </dd>
          </div>
        </dl>
      )}
    </div>
  )
}
