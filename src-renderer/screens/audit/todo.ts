/** Instructions for a broken audit log, step by step. */
import type { AuditVerdict } from '../../../src-main/contract/services/audit.ts'
import type { WordId } from '../../words/words.tsx'

/** Evidence first; a database that was brought back from a backup is the harmless reason for a cut end. */
export function todoOf({ whole, broken, witness }: Pick<AuditVerdict, 'whole' | 'broken' | 'witness'>): WordId[] {
  if (whole) return []
  return [
    'audit.todo.keep',
    ...(witness.state === 'unreadable' ? (['audit.todo.unreadable'] as const) : []),
    ...(witness.state === 'contradicts' && !broken ? (['audit.todo.older'] as const) : []),
    'audit.todo.compare',
    'audit.todo.find',
    'audit.todo.check',
  ]
}
