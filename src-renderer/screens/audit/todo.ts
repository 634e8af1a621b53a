/** Instructions for a broken audit log, step by step. */
import type { AuditVerdict } from '../../../src-main/contract/services/audit.ts'
import type { WordId } from '../../words/words.tsx'

/** Secures the evidence first. Restoring the database from a backup is the harmless cause of a cut end. */
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
