/** One button for both: it resumes a paused job and pauses any other, or gives the reason why it cannot. */
import { Pause, Play } from 'lucide-react'
import type { JobSummary } from '../../../src-main/contract/services/jobSummary.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { useWords } from '../../words/words.tsx'
import { whyNot } from './jobWords.ts'

interface PauseButtonProps {
  job: Pick<JobSummary, 'state' | 'status' | 'isGenerated'>
  /** A reason that comes before that of the job's state; null or absent: none. */
  why?: string | null
  isSmall?: boolean
  onAct: (action: 'pause' | 'resume') => void
}

export function PauseButton({ job, why = null, isSmall = false, onAct }: PauseButtonProps) {
  const t = useWords()
  const action = whyNot(t, job, 'resume') === null ? 'resume' : 'pause'
  const Icon = action === 'resume' ? Play : Pause
  return (
    <ActionButton
      needs={`jobs.${action}`}
      size={isSmall ? 'compact-sm' : 'sm'}
      variant="default"
      leftSection={<Icon size={isSmall ? 14 : 16} aria-hidden />}
      why={why ?? whyNot(t, job, action)}
      onClick={() => onAct(action)}
    >
      {t(`job.${action}`)}
    </ActionButton>
  )
}
