/** Integrity of the audit log, once for every screen that shows it: requested with the status of the archive and by users, and kept until
 *  the next request. Entries are loaded by pages (`pages.ts`). */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AuditEntry, AuditProgress, AuditVerdict } from '../../src-main/contract/services/audit.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom } from './loaded.ts'

export interface AuditState {
  verifying: boolean
  /** Progress of the verification; null before its first event. */
  progress: AuditProgress | null
  verdict: { said: AuditVerdict; at: string } | null
  fault: Fault | null
  /** Verifies again after a lost connection, but only where verification was requested before. */
  load(): Promise<void>
  /** A trail that had no entry when it was verified is verified again: what was said of it holds no longer once there are some. */
  loadIfEmpty(): Promise<void>
  verify(): Promise<void>
}

export type AuditServices = { archive: Pick<Loupe['archive'], 'verifyAudit' | 'auditVerifying'> }

export function makeAudit({ archive }: AuditServices): StoreApi<AuditState> {
  const store = createStore<AuditState>()((set, get) => ({
    verifying: false,
    progress: null,
    verdict: null,
    fault: null,
    load: async () => {
      if (get().verdict || get().fault) await get().verify()
    },
    loadIfEmpty: async () => {
      if (get().verdict?.said.entries === 0 && !get().verdict?.said.broken) await get().verify()
    },
    verify: async () => {
      if (get().verifying) return
      // An old verdict shown with a new request would be taken for its answer.
      set({ verifying: true, progress: null, verdict: null, fault: null })
      try {
        const said = await archive.verifyAudit({})
        set({ verdict: { said, at: new Date().toISOString() } })
      } catch (error) {
        set({ fault: faultFrom(error) })
      } finally {
        set({ verifying: false })
      }
    },
  }))
  // A report verifies too: that is not what a person waits for here.
  archive.auditVerifying((progress) => store.setState(({ verifying }) => (verifying ? { progress } : {})))
  return store
}

export type AuditQuery = Pick<Parameters<Loupe['archive']['auditTrail']>[0], 'what' | 'who' | 'subject'>

/** The most that one answer may hold. */
const entriesAtOnce = 1_000
/** Rows of one table that is saved: they are held in memory while it is made, at about a kilobyte each. */
export const entriesSavedMax = 100_000

/** The entries that match, newest first, as many as are saved at once. What is added meanwhile pushes the others down, so
 *  some come twice: each is kept once, and the new ones are left out. */
export async function entriesToSave(
  { archive }: { archive: Pick<Loupe['archive'], 'auditTrail'> },
  query: AuditQuery,
  onPart: (got: number, total: number) => void,
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for (let offset = 0; ; offset += entriesAtOnce) {
    const { rows, total } = await archive.auditTrail({ ...query, offset, limit: entriesAtOnce })
    const oldest = entries.at(-1)?.number ?? Infinity
    entries.push(...rows.filter(({ number }) => number < oldest))
    onPart(entries.length, total)
    if (rows.length < entriesAtOnce || entries.length >= entriesSavedMax) return entries
  }
}
