/** Verification of the audit log against its hashes and its witness. */
import type { AuditProgress, AuditVerdict, AuditWitness } from '../../contract/services/audit.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Clock } from '../../world/world.ts'
import type { AuditLog } from '../audit/audit.ts'
import type { AuditHead } from '../audit/auditHead.ts'

interface VerdictParts {
  auditLog: Pick<AuditLog, 'head' | 'verifyChain'>
  auditHead: Pick<AuditHead, 'witness'>
  clock: Pick<Clock, 'sleep'>
  onProgress: (progress: AuditProgress) => void
}

/** Verifies the whole auditLog. Other work can run between its steps. */
export async function verifyAuditLog({ auditLog, auditHead, clock, onProgress }: VerdictParts): Promise<AuditVerdict> {
  const entriesTotal = auditLog.head()?.number ?? 0
  const { entries, broken } = await auditLog.verifyChain((inOrder) => {
    onProgress({ entries: inOrder, entriesTotal })
    return clock.sleep(0)
  })
  const witness = await auditHead.witness()
  const whole = broken === undefined && witness.state !== 'contradicts' && witness.state !== 'unreadable'
  const text = broken
    ? message('audit.verdict.broken', { change: broken.message })
    : message('audit.verdict.linked', { entries, witness: witnessMessage(witness) })
  return { whole, entries, broken: broken ?? null, head: auditLog.head()?.hash ?? null, witness, message: text }
}

function witnessMessage({ state, number }: AuditWitness): Message {
  switch (state) {
    case 'agrees':
      return message('audit.witness.agrees')
    case 'behind':
      return message('audit.witness.behind', { number: number ?? 0 })
    case 'absent':
      return message('audit.witness.absent')
    case 'unreadable':
      return message('audit.witness.unreadable')
    case 'contradicts':
      return message('audit.witness.contradicts', { number: number ?? 0 })
  }
}
