/** The badge of a state: one colour and one symbol for each tone, so that colour is never the only sign. */
import { Tooltip } from '@mantine/core'
import {
  CircleCheck,
  CircleDashed,
  CirclePlay,
  Hourglass,
  OctagonX,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react'
import type { TaskSummary } from '../../src-main/contract/services/tasks.ts'
import { taskStages } from '../../src-main/contract/shapes/taskKinds.ts'
import { taskStates } from '../../src-main/contract/states/taskStates.ts'
import type { StateTable, Tone } from '../../src-main/contract/states/stateTable.ts'
import { useWords } from '../words/words.tsx'

const symbols: Record<Tone, LucideIcon> = {
  idle: CircleDashed,
  running: CirclePlay,
  waiting: Hourglass,
  done: CircleCheck,
  attention: TriangleAlert,
  failed: OctagonX,
}

export function ToneBadge({ tone, text, meaning }: { tone: Tone; text: string; meaning?: string | undefined }) {
  const Symbol = symbols[tone]
  const badge = (
    <span className="badge" data-tone={tone}>
      <Symbol size={14} aria-hidden />
      {text}
    </span>
  )
  return meaning ? <Tooltip label={meaning}>{badge}</Tooltip> : badge
}

/** A badge with the texts of a state table. */
export function StateBadge({ table, state }: { table: StateTable<string, string>; state: string }) {
  const t = useWords()
  const row = table.rows[state]
  return row ? (
    <ToneBadge tone={row.tone} text={t(row.badge)} meaning={t(row.meaning)} />
  ) : (
    <ToneBadge tone="idle" text={state} />
  )
}

/** The state of a task. While it runs, the badge names the stage, if its kind has stages. */
export function TaskBadge({ task: { state, stage } }: { task: Pick<TaskSummary, 'state' | 'stage'> }) {
  const t = useWords()
  const { tone, badge, meaning } = taskStates.rows[state]
  const shown = state === 'RUNNING' && stage ? taskStages[stage] : badge
  return <ToneBadge tone={tone} text={t(shown)} meaning={t(meaning)} />
}
