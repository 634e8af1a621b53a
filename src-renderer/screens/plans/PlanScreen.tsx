/** One delivery plan: its run, its drawing with live numbers, documents by status, and the documents themselves. */
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { Await } from '../../parts/Await.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { Section } from '../../parts/Section.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { ToneNote } from '../../parts/ToneNote.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { goTo, hrefOf } from '../../routes/routes.ts'
import { makePlan, type PlanView } from '../../state/plan.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { HistoryDialog } from './HistoryDialog.tsx'
import { PlanDocuments, type ShownDocuments } from './PlanDocuments.tsx'
import { PlanDrawing } from './PlanDrawing.tsx'
import { PlanFigures } from './PlanFigures.tsx'
import { PlanHead } from './PlanHead.tsx'
import { PlanLegend } from './PlanLegend.tsx'
import { planNumbers } from './planNumbers.ts'
import { StatusTable } from './StatusTable.tsx'
import { StepPanel } from './StepPanel.tsx'
import { StepTable } from './StepTable.tsx'
import styles from './plans.module.css'

/** Mounted again for each plan (by its key), so that its store lives as long as the screen. */
export function PlanScreen({ shown }: { shown: ShownDocuments }) {
  const t = useWords()
  const { services } = useSession()
  const { plan } = shown
  const store = useMemo(() => makePlan(services, plan), [services, plan])
  const state = useStore(store)
  const { view, load, refreshFault, refusal, samples } = state
  useEffect(() => void load(), [load])
  useChanges(services.deliveries.changed, () => void load())
  return (
    <>
      <a className="dimmed" href={hrefOf({ place: 'plans' })}>
        {t('plan.all')}
      </a>
      <Await of={view} onRetry={() => void load()}>
        {(value) => (
          <>
            <PlanHead view={value} state={state} />
            {refusal && <FaultNote fault={refusal} />}
            {refreshFault && <FaultNote fault={refreshFault} onRetry={() => void load()} />}
            {value.details.problem && (
              <ToneNote tone="failed" title={t('plan.problem')}>
                <p>{t(value.details.problem)}</p>
              </ToneNote>
            )}
            <PlanFigures view={value} samples={samples} />
            <Steps view={value} />
            <StatusTable plan={plan} destinations={value.destinations} />
            <PlanDocuments view={value} shown={shown} />
            <HistoryDialog
              view={value}
              document={shown.document}
              onClose={() => {
                const { document: _, ...rest } = shown
                goTo(rest, 'replace')
              }}
            />
          </>
        )}
      </Await>
    </>
  )
}

function Steps({ view }: { view: PlanView }) {
  const t = useWords()
  const { details, progress, destinations } = view
  const [chosen, setChosen] = useState<string | null>(null)
  const numbers = useMemo(() => planNumbers(progress, destinations), [progress, destinations])
  return (
    <Section title={t('plan.drawing')}>
      <div className={styles.body}>
        <div>
          <PlanDrawing steps={details.steps} numbers={numbers} chosen={chosen} onChoose={setChosen} />
          <p className={`dimmed ${styles.numbers}`}>{numbersText(t, view)}</p>
          <PlanLegend />
        </div>
        <StepPanel step={details.steps.find(({ name }) => name === chosen)} numbers={numbers} />
      </div>
      <div className="below-card">
        <StepTable steps={details.steps} numbers={numbers} />
      </div>
    </Section>
  )
}

function numbersText(t: Translate, { progress }: PlanView): string {
  if (!progress) return t('plan.numbers.none')
  const { started, ended } = progress
  return ended === null
    ? t('plan.numbers.running', { time: timeUtc(started) })
    : t('plan.numbers.ended', { from: timeUtc(started), to: timeUtc(ended) })
}
