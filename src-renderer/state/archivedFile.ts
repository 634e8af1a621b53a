/** One file of the archive: what is written down of it, a check of it alone, and what would be lost with it. It hears of
 *  nothing by itself: the screen loads it again when the archive has changed, and the check is followed where all are. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AffectedFile, FileHistory } from '../../src-main/contract/services/archivedFiles.ts'
import type { CheckSummary } from '../../src-main/contract/services/checks.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { isBadState } from '../../src-main/contract/states/copyStates.ts'
import { faultFrom, loadedFrom, loading, valueOf, type Loaded } from './loaded.ts'
import { newestAnswer } from './newestAnswer.ts'

export interface ArchivedFileState {
  history: Loaded<FileHistory>
  /** Null before a request. It may take long, so it is requested automatically only where something is wrong. */
  affected: Loaded<AffectedFile> | null
  /** The check of this file that was begun here last, as it was when it began. */
  begun: CheckSummary | null
  /** A check is to begin, and the engine has not answered. */
  asking: boolean
  /** The fault if the check could not start. */
  refusal: Fault | null
  load(): Promise<void>
  askAffected(): Promise<void>
  /** Reads this file's copies, or the one in `replica`, and compares their checksums. Does nothing while one is to begin. */
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

/** The check that was begun, as it stands now. A small file is read before the answer that its check has begun is here. */
export function checkAsItIs(begun: CheckSummary | null, checks: Loaded<CheckSummary[]>): CheckSummary | null {
  return valueOf(checks)?.find(({ check }) => check === begun?.check) ?? begun
}

/** A copy is gone, is not what was stored, or was never stored whole. */
export function isHarmed({ file }: FileHistory): boolean {
  return file.replicas.some((copy) => copy.upload === 'UPLOAD_FAILED' || isBadState(copy.preservation))
}

/** A pattern of this name and no other. */
export function patternOf(name: string): string {
  return `^${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`
}
