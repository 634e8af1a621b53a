/** The repair of one copy in steps: the problem, the expected checksum, the conditions as they are verified, and the outcome. The step
 *  follows the state of the engine, so it is the same when the user returns. */
import { Button } from '@mantine/core'
import { ArrowLeft, Check } from 'lucide-react'
import { useEffect, useMemo, useRef, type RefObject } from 'react'
import { useStore } from 'zustand'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { makeRepairFlow, repairSteps, type RepairFlowStore, type RepairStep } from '../../state/repairFlow.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf, type Route } from '../../routes/routes.ts'
import { ConditionResults } from './ConditionResults.tsx'
import { ExpectedChecksum } from './ExpectedChecksum.tsx'
import { RepairConditions } from './RepairConditions.tsx'
import { RepairOutcomeStep } from './RepairOutcomeStep.tsx'
import { WhatIsWrong } from './WhatIsWrong.tsx'
import styles from './repair.module.css'

/** Mounted again for each copy (by its key), so that its store lives as long as the screen. */
export function RepairScreen({ file, replica }: Omit<Extract<Route, { place: 'repair' }>, 'place'>) {
  const t = useWords()
  const { services, repairs } = useSession()
  const flow = useMemo(
    () => makeRepairFlow(services, repairs, { name: file, replica }),
    [services, repairs, file, replica],
  )
  useEffect(() => {
    flow.open()
    return flow.close
  }, [flow])
  const { step, fault, outcome } = useStore(flow)
  const heading = useStepFocus(step)
  return (
    <>
      <PageHead
        title={t('repair.title', { name: file, replica })}
        actions={
          <Button
            component="a"
            href={hrefOf({ place: 'archive', tab: 'repair' })}
            variant="default"
            leftSection={<ArrowLeft size={16} aria-hidden />}
          >
            {t('repair.back')}
          </Button>
        }
      />
      <Steps at={step} />
      {fault && <FaultNote fault={fault} />}
      <section className={styles.repairStep} aria-labelledby="repair-step">
        <h2 id="repair-step" ref={heading} tabIndex={-1}>
          {t(`repair.step.${step}`)}
        </h2>
        <Step step={step} flow={flow} />
        <ConditionResults step={step} outcome={outcome} />
      </section>
    </>
  )
}

function Step({ step, flow }: { step: RepairStep; flow: RepairFlowStore }) {
  switch (step) {
    case 'look':
      return <WhatIsWrong flow={flow} />
    case 'expected':
      return <ExpectedChecksum flow={flow} />
    case 'conditions':
      return <RepairConditions flow={flow} />
    case 'outcome':
      return <RepairOutcomeStep flow={flow} />
  }
}

/** Moves the focus to each new step. When the screen opens, the frame moves the focus to the screen. */
function useStepFocus(step: RepairStep): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current !== step) heading.current?.focus()
    shown.current = step
  }, [step])
  return heading
}

function Steps({ at }: { at: RepairStep }) {
  const t = useWords()
  const current = repairSteps.indexOf(at)
  return (
    <ol className={styles.repairSteps} aria-label={t('repair.steps')}>
      {repairSteps.map((step, index) => (
        <li key={step} aria-current={step === at ? 'step' : undefined} data-done={index < current}>
          <span className={styles.repairStepNumber} aria-hidden>
            {index < current ? <Check size={14} /> : index + 1}
          </span>
          {t(`repair.step.${step}`)}
          {index < current && <span className="visually-hidden"> ({t('repair.step.done')})</span>}
        </li>
      ))}
    </ol>
  )
}
