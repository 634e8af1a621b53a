/** What is wrong with the text of a plan, and what its author should know: one sentence each, which names the step. */
import { Alert, List } from '@mantine/core'
import type { CheckedPlan } from '../../../src-main/contract/services/deliveries.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { findingIcons } from '../findings/severity.tsx'

/** Findings shown at once; the next appear when these are corrected. */
const findingsShownMax = 20

export function PlanFindings({ checked }: { checked: CheckedPlan | null }) {
  const t = useWords()
  return (
    <div role="status">
      {checked && checked.faults.length === 0 && <ToneBadge tone="done" text={t('planEditor.good')} />}
      {checked && <Findings kind="faults" findings={checked.faults} />}
      {checked && <Findings kind="warnings" findings={checked.warnings} />}
    </div>
  )
}

const looks = { faults: findingIcons.error, warnings: findingIcons.warning }

function Findings({ kind, findings }: { kind: keyof typeof looks; findings: CheckedPlan['faults'] }) {
  const t = useWords()
  if (findings.length === 0) return null
  const { color, icon: Icon } = looks[kind]
  return (
    <Alert
      mt="xs"
      color={color}
      icon={<Icon aria-hidden />}
      title={t(`planEditor.${kind}`, { count: findings.length })}
    >
      <List size="sm">
        {findings.slice(0, findingsShownMax).map(({ message }, at) => (
          // One step may have the same fault twice.
          <List.Item key={at}>{t(message)}</List.Item>
        ))}
      </List>
    </Alert>
  )
}
