/** Status of the archive: replicas with their history, checks with findings, and the last spot check. Kept as long as the window is open,
 *  so running work is still there when the user returns. The list of files is loaded by pages (`pages.ts`); repairs are not here. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ArchiveStatus } from '../../src-main/contract/services/archiveStatus.ts'
import type { CheckRequest, CheckSummary, PreservationFinding } from '../../src-main/contract/services/checks.ts'
import type { ReplicaEvent, ReplicaStanding } from '../../src-main/contract/services/replicas.ts'
import type { SpotCheckSummary } from '../../src-main/contract/services/votes.ts'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { isRunning, newsOfChecks, workDone } from './checks.ts'
import { liveRows, type LiveRows } from './liveRows.ts'
import { faultFrom, loadedFrom, loading, valueOf, type Loaded } from './loaded.ts'
import { newestAnswer } from './newestAnswer.ts'
import { seen, type Sighting } from './pace.ts'
import { throttled } from './throttled.ts'

/** While a check runs it is asked again how the archive stands; of a large one that is a long answer. */
const reloadIntervalMs = 3_000

/** `asking`: every replica is being asked now. */
export type SpotAsked =
  | { is: 'none' }
  | { is: 'asking'; files: number }
  | { is: 'ready'; value: SpotCheckSummary }
  | { is: 'refused'; fault: Fault }

export interface ArchiveState {
  status: Loaded<ArchiveStatus>
  replicas: Loaded<ReplicaStanding[]>
  /** Events of each replica, oldest first. */
  history: Loaded<ReadonlyMap<string, readonly ReplicaEvent[]>>
  /** Newest first. */
  checks: Loaded<CheckSummary[]>
  /** Observed progress of each running check. */
  sightings: Readonly<Record<number, Sighting[]>>
  /** The check whose findings are shown; null: the newest. */
  chosen: number | null
  findings: Loaded<PreservationFinding[]>
  spot: SpotAsked
  /** A check is to be begun, stopped or gone on with, and the engine has not answered. */
  asking: boolean
  refusal: Fault | null
  /** Counts up whenever the files may have changed. */
  revision: number
  load(): Promise<void>
  /** Asks how the replicas and their checks stand, where nothing is known to have happened to the files. */
  look(): Promise<void>
  choose(check: number): Promise<void>
  /** The check that has begun; undefined when it was refused. */
  check(what: CheckRequest): Promise<CheckSummary | undefined>
  stop(check: number): Promise<void>
  resume(check: number): Promise<void>
  spotCheck(files: number): Promise<void>
  /** Clears a fault that was read, or that belongs to another request. */
  forgetRefusal(): void
}

type Asked = Pick<
  Loupe['archive'],
  | 'status'
  | 'history'
  | 'checks'
  | 'check'
  | 'stopCheck'
  | 'resumeCheck'
  | 'spotCheck'
  | 'findings'
  | 'checkChanged'
  | 'changed'
>

export function makeArchive({ archive }: { archive: Asked }): StoreApi<ArchiveState> {
  const rows = liveRows<CheckSummary>(({ check }) => check)
  const askFindings = newestAnswer()
  const isNews = newsOfChecks()
  const store = createStore<ArchiveState>()((set, get) => {
    async function loadFindings(): Promise<void> {
      const check = shownCheck(get())
      if (!check) return
      const isNews = askFindings()
      const findings = await loadedFrom(archive.findings({ check: check.check }))
      // Another may have been chosen meanwhile.
      if (shownCheck(get())?.check === check.check && isNews()) set({ findings })
    }

    async function order(begin: () => Promise<CheckSummary>): Promise<CheckSummary | undefined> {
      // A second press of the same button is no second order.
      if (get().asking) return undefined
      set({ asking: true, refusal: null })
      const answered = rows.order()
      try {
        const begun = await begin()
        set({ chosen: begun.check })
        take(answered, begun)
        await loadFindings()
        return begun
      } catch (error) {
        set({ refusal: faultFrom(error) })
        return undefined
      } finally {
        set({ asking: false })
      }
    }

    /** `changes`: of the files, as far as anyone here knows. */
    async function ask(changes: 0 | 1): Promise<void> {
      const answered = rows.ask()
      const [status, history, listed] = await Promise.all([
        loadedFrom(archive.status({})),
        loadedFrom(archive.history({})),
        loadedFrom(archive.checks({})),
      ])
      const checks = answered(listed)
      // Overtaken by the answer to a later question, it is counted all the same.
      set({ revision: get().revision + changes })
      if (!checks) return
      set({
        status,
        replicas: mapped(status, ({ replicas }) => replicas),
        history: mapped(history, (rows) => new Map(rows.map(({ replica, events }) => [replica, events]))),
        checks,
      })
      await loadFindings()
    }

    return {
      status: loading,
      replicas: loading,
      history: loading,
      checks: loading,
      sightings: {},
      chosen: null,
      findings: loading,
      spot: { is: 'none' },
      asking: false,
      refusal: null,
      revision: 0,
      load: () => ask(1),
      look: () => ask(0),
      choose: async (check) => {
        set({ chosen: check, findings: loading })
        await loadFindings()
      },
      check: (what) => order(() => archive.check(what)),
      stop: async (check) => void (await order(() => archive.stopCheck({ check }))),
      resume: async (check) => void (await order(() => archive.resumeCheck({ check }))),
      spotCheck: async (files) => {
        if (get().spot.is === 'asking') return
        set({ spot: { is: 'asking', files } })
        try {
          set({ spot: { is: 'ready', value: await archive.spotCheck({ files }) } })
        } catch (error) {
          set({ spot: { is: 'refused', fault: faultFrom(error) } })
        }
        await get().load()
      },
      forgetRefusal: () => set({ refusal: null }),
    }
  })

  function take(into: LiveRows<CheckSummary>['tell'], changed: CheckSummary): void {
    const { done } = workDone(changed)
    store.setState(({ checks, sightings }) => ({
      checks: into(checks, changed),
      sightings: {
        ...sightings,
        [changed.check]: seen(sightings[changed.check] ?? [], { atMs: performance.now(), done }),
      },
    }))
  }

  const reload = throttled(() => void store.getState().load(), reloadIntervalMs)
  archive.changed(reload)
  archive.checkChanged((check) => {
    take(rows.tell, check)
    if (!isNews(check)) return
    // Users wait for the end of a check; its findings may come a little later.
    if (isRunning(check)) reload()
    else void store.getState().load()
  })
  return store
}

/** The check whose findings are shown. None when the chosen one is older than those that the engine lists: another would be
 *  taken for it. */
export function shownCheck({ checks, chosen }: Pick<ArchiveState, 'checks' | 'chosen'>): CheckSummary | undefined {
  const known = valueOf(checks) ?? []
  return chosen === null ? known[0] : known.find(({ check }) => check === chosen)
}

function mapped<Value, Other>(loaded: Loaded<Value>, to: (value: Value) => Other): Loaded<Other> {
  return loaded.is === 'ready' ? { is: 'ready', value: to(loaded.value) } : loaded
}
