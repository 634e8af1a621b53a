/** The store of one archived file: its record, a check of it alone, and the captures in it. It subscribes to no events: the screen loads it
 *  again when the archive has changed, and the store of the archive follows the check. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AffectedFile, FileHistory } from '../../src-main/contract/services/archivedFiles.ts'
import type { CheckSummary } from '../../src-main/contract/services/checks.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { isBadState, isFailedCopy } from '../../src-main/contract/states/copyStates.ts'
import { faultFrom, loadedFrom, loading, valueOf, type Loaded } from './loaded.ts'
import { newestAnswer } from './newestAnswer.ts'

export interface ArchivedFileState {
  history: Loaded<FileHistory>
  /** Null before a request. It may take long, so it is requested automatically only where something is wrong. */
  affected: Loaded<AffectedFile> | null
  /** The last check of this file that was started here, in its state at that time. */
  begun: CheckSummary | null
  /** A request to start a check has not been answered yet. */
  asking: boolean
  /** The fault if the check could not start. */
  refusal: Fault | null
  load(): Promise<void>
  askAffected(): Promise<void>
  /** Reads all copies of this file, or the one in `replica`, and compares their checksums. No effect while a check is being started. */
  checkNow(replica?: string): Promise<void>
}

type Asked = Pick<Loupe['archive'], 'file' | 'affected' | 'check'>

export function makeArchivedFile({ archive }: { archive: Asked }, name: string): StoreApi<ArchivedFileState> {
  const ask = newestAnswer()
  return createStore<ArchivedFileState>()((set, get) => ({
    history: loading,
    affected: null,
    begun: null,
    asking: false,
    refusal: null,
    load: async () => {
      const isNews = ask()
      const history = await loadedFrom(archive.file({ name }))
      if (!isNews()) return
      set({ history })
      if (history.is === 'ready' && isHarmed(history.value) && get().affected === null) await get().askAffected()
    },
    askAffected: async () => {
      set({ affected: loading })
      set({ affected: await loadedFrom(archive.affected({ name })) })
    },
    checkNow: async (replica) => {
      if (get().asking) return
      set({ asking: true, refusal: null })
      try {
        const files = patternOf(name)
        set({
          begun: await archive.check({ kind: 'checksums', files, ...(replica === undefined ? {} : { replica }) }),
        })
      } catch (error) {
        set({ refusal: faultFrom(error) })
      } finally {
        set({ asking: false })
      }
    },
  }))
}

/** The current state of the check. The check of a small file may end before the answer to its start arrives. */
export function checkAsItIs(begun: CheckSummary | null, checks: Loaded<CheckSummary[]>): CheckSummary | null {
  return valueOf(checks)?.find(({ task }) => task === begun?.task) ?? begun
}

/** Whether a copy is missing, damaged, or was never stored completely. */
export function isHarmed({ file }: FileHistory): boolean {
  return file.replicas.some((copy) => isFailedCopy(copy) || isBadState(copy.preservation))
}

/** A pattern that matches only this name. */
export function patternOf(name: string): string {
  return `^${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`
}
