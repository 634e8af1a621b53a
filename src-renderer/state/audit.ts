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
  verdict: { result: AuditVerdict; at: string } | null
  fault: Fault | null
  /** Verifies again after a lost connection, but only where verification was requested before. */
  load(): Promise<void>
  /** Verifies again if the log had no entries when it was last verified, because that verdict says nothing about new entries. */
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
      if (get().verdict?.result.entries === 0 && !get().verdict?.result.broken) await get().verify()
    },
    verify: async () => {
      if (get().verifying) return
      // An old verdict next to a new request would look like its answer.
      set({ verifying: true, progress: null, verdict: null, fault: null })
      try {
        const result = await archive.verifyAudit({})
        set({ verdict: { result, at: new Date().toISOString() } })
      } catch (error) {
        set({ fault: faultFrom(error) })
      } finally {
        set({ verifying: false })
      }
    },
  }))
  // Reports verify the log too, which is not what the user is waiting for here.
  archive.auditVerifying((progress) => store.setState(({ verifying }) => (verifying ? { progress } : {})))
  return store
}

export type AuditQuery = Pick<Parameters<Loupe['archive']['auditLog']>[0], 'what' | 'who' | 'subject'>

/** The engine's limit for one answer. */
const entriesAtOnce = 1_000
/** Rows of one saved table. They are kept in memory while it is created, about a kilobyte each. */
export const entriesSavedMax = 100_000

/** The entries that match, newest first, up to the limit. Entries that are added meanwhile move the others down, so repeated ones are
 *  removed and new ones left out. */
export async function entriesToSave(
  { archive }: { archive: Pick<Loupe['archive'], 'auditLog'> },
  query: AuditQuery,
  onPart: (got: number, total: number) => void,
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for (let offset = 0; ; offset += entriesAtOnce) {
    const { rows, total } = await archive.auditLog({ ...query, offset, limit: entriesAtOnce })
    const oldest = entries.at(-1)?.number ?? Infinity
    entries.push(...rows.filter(({ number }) => number < oldest))
    onPart(entries.length, total)
    if (rows.length < entriesAtOnce || entries.length >= entriesSavedMax) return entries
  }
}
