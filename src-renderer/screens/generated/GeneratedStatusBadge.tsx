/** The status of a job that a harvest generated, in its words and tone. */
import { generatedLabel, type GeneratedStatus } from '../../../src-main/contract/states/generatedStatuses.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'

const tones: Record<GeneratedStatus, Tone> = {
  NEW: 'idle',
  SUBMITTED: 'waiting',
  STARTED: 'running',
  DONE: 'done',
  FAILED: 'failed',
  RESUBMITTED: 'idle',
  FAILED_REJECTED: 'attention',
}

export function GeneratedStatusBadge({ status }: { status: GeneratedStatus }) {
  const t = useWords()
  return <ToneBadge tone={tones[status]} text={t(generatedLabel(status))} />
}
