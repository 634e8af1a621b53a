/** Numbers of findings by severity, the most severe first; a dash where there are none. */
import type { JobSummary } from '../../../src-main/contract/services/jobSummary.ts'
import { useWords } from '../../words/words.tsx'
import { SeverityCount } from './severity.tsx'

export function FindingTotals({ counts }: { counts: JobSummary['findingCounts'] }) {
  const t = useWords()
  const { errors, warnings, notes } = counts
  if (errors + warnings + notes === 0) return '–'
  return (
    <span role="img" className="finding-counts" aria-label={t('findings.counts', { errors, warnings, notes })}>
      {errors > 0 && <SeverityCount severity="error" count={errors} />}
      {warnings > 0 && <SeverityCount severity="warning" count={warnings} />}
      {notes > 0 && <SeverityCount severity="note" count={notes} />}
    </span>
  )
}
