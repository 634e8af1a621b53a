/** Replicas, their checks and what the checks found. The list of files comes by pages (`pages.ts`). */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { CheckSummary, Loupe, PreservationFinding, ReplicaSummary } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/faults.ts'
import { faultFrom, loadedFrom, loading, type Loaded } from './loaded.ts'
import { seen, type Sighting } from './pace.ts'
import { throttled } from './throttled.ts'

const reloadIntervalMs = 1_000

export interface ArchiveState {
  replicas: Loaded<ReplicaSummary[]>
  /** Newest first. */
  checks: Loaded<CheckSummary[]>
  /** What each running check had done, as seen from here. */
  sightings: Readonly<Record<number, Sighting[]>>
  /** The check whose findings are shown; null: the newest. */
  chosen: number | null
  findings: Loaded<PreservationFinding[]>
  refusal: Fault | null
  /** Counts up whenever the files may have changed. */
  revision: number
  load(): Promise<void>
  choose(check: number): Promise<void>
  check(what: { kind: CheckSummary['kind']; replica?: string }): Promise<void>
  stop(check: number): Promise<void>
  resume(check: number): Promise<void>
}

export function makeArchive({ archive }: { archive: Omit<Loupe['archive'], 'files'> }): StoreApi<ArchiveState> {
  const store = createStore<ArchiveState>()((set, get) => {
    async function loadFindings(): Promise<void> {
      const check = shownCheck(get())
      if (check) set({ findings: await loadedFrom(archive.findings({ check: check.check })) })
    }

    async function ask(begin: () => Promise<CheckSummary>): Promise<void> {
      set({ refusal: null })
      try {
        const begun = await begin()
        set({ chosen: begun.check })
        take(begun)
        await loadFindings()
      } catch (error) {
        set({ refusal: faultFrom(error) })
      }
    }

    return {
      replicas: loading,
      checks: loading,
      sightings: {},
      chosen: null,
      findings: loading,
      refusal: null,
      revision: 0,
      load: async () => {
        const [replicas, checks] = await Promise.all([loadedFrom(archive.replicas({})), loadedFrom(archive.checks({}))])
        set({
          replicas,
          checks: checks.is === 'ready' ? { is: 'ready', value: checks.value.toSorted(newestFirst) } : checks,
          revision: get().revision + 1,
        })
        await loadFindings()
      },
      choose: async (check) => {
        set({ chosen: check, findings: loading })
        await loadFindings()
      },
      check: (what) => ask(() => archive.check(what)),
      stop: (check) => ask(() => archive.stopCheck({ check })),
      resume: (check) => ask(() => archive.resumeCheck({ check })),
    }
  })

  function take(changed: CheckSummary): void {
    store.setState(({ checks, sightings }) => ({
      checks: {
        is: 'ready',
        value: [
          ...(checks.is === 'ready' ? checks.value : []).filter(({ check }) => check !== changed.check),
          changed,
        ].toSorted(newestFirst),
      },
      sightings: {
        ...sightings,
        [changed.check]: seen(sightings[changed.check] ?? [], { atMs: Date.now(), done: workDone(changed).done }),
      },
    }))
  }

  const reload = throttled(() => void store.getState().load(), reloadIntervalMs)
  archive.changed(reload)
  archive.checkChanged((check) => {
    take(check)
    // Its end is what somebody waits for; numbers on the way may come a little later.
    if (check.state === 'RUNNING') reload()
    else void store.getState().load()
  })
  return store
}

/** The check whose findings are shown. */
export function shownCheck({ checks, chosen }: Pick<ArchiveState, 'checks' | 'chosen'>): CheckSummary | undefined {
  if (checks.is !== 'ready') return undefined
  return checks.value.find(({ check }) => check === chosen) ?? checks.value[0]
}

/** A search for missing files reads no bytes, so its work is counted in files. */
export function workDone(check: CheckSummary): { unit: 'files' | 'bytes'; done: number; total: number } {
  return check.kind === 'missing'
    ? { unit: 'files', done: check.filesDone, total: check.filesTotal }
    : { unit: 'bytes', done: check.bytesDone, total: check.bytesTotal }
}

function newestFirst(one: CheckSummary, other: CheckSummary): number {
  return other.check - one.check
}
