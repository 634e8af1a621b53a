/** The store of the archive's status: replicas with their history, checks with findings, and the last spot check. Kept as long as the window
 *  is open, so running work is still there when the user returns. The list of files is loaded by pages (`pages.ts`); repairs are not here. */
import { createStore } from 'zustand/vanilla'
import type { CheckSummary } from '../../src-main/contract/services/checks.ts'
import { isCheckKind } from '../../src-main/contract/shapes/taskKinds.ts'
import type { ArchiveCalls, ArchiveServices, ArchiveState, ArchiveStore } from './archiveState.ts'
import { checkActions, type CheckActions } from './checkActions.ts'
import { isRunning, newsOfChecks } from './checks.ts'
import { liveRows, type LiveRows } from './liveRows.ts'
import { faultFrom, loadedFrom, loading, type Loaded } from './loaded.ts'
import { throttled } from './throttled.ts'

/** While a check runs the status is loaded at most this often: for a large archive it is a long answer. */
const reloadIntervalMs = 3_000

export function makeArchive({ archive, tasks }: ArchiveServices): ArchiveStore {
  return createStore<ArchiveState>()((_set, get, store) => {
    const rows = liveRows<CheckSummary>(({ task }) => task)
    const { loadFindings, update: updateCheck, ...checks } = checkActions({ archive, tasks }, store, rows)
    follow({ archive, tasks, load: () => get().load(), updateCheck })
    const parts = { archive, store, rows, loadFindings }
    return {
      status: loading,
      replicas: loading,
      history: loading,
      checks: loading,
      samples: {},
      chosen: null,
      findings: loading,
      spot: { is: 'none' },
      asking: false,
      refusal: null,
      revision: 0,
      ...checks,
      load: () => loadStatus(parts, 1),
      look: () => loadStatus(parts, 0),
      spotCheck: (files) => spotCheck(archive, store, files),
      forgetRefusal: () => store.setState({ refusal: null }),
    }
  })
}

interface Loading {
  archive: ArchiveCalls
  store: ArchiveStore
  rows: LiveRows<CheckSummary>
  loadFindings: CheckActions['loadFindings']
}

/** `changes`: 1 where the files may have changed, else 0. */
async function loadStatus({ archive, store, rows, loadFindings }: Loading, changes: 0 | 1): Promise<void> {
  const answered = rows.ask()
  const [status, history, listed] = await Promise.all([
    loadedFrom(archive.status({})),
    loadedFrom(archive.history({})),
    loadedFrom(archive.checks({})),
  ])
  const checks = answered(listed)
  // An answer that a later one has overtaken still counts as a change.
  store.setState(({ revision }) => ({ revision: revision + changes }))
  if (!checks) return
  store.setState({
    status,
    replicas: mapped(status, ({ replicas }) => replicas),
    history: mapped(history, (replicas) => new Map(replicas.map(({ replica, events }) => [replica, events]))),
    checks,
  })
  await loadFindings()
}

async function spotCheck(archive: ArchiveCalls, store: ArchiveStore, files: number): Promise<void> {
  if (store.getState().spot.is === 'asking') return
  store.setState({ spot: { is: 'asking', files } })
  try {
    store.setState({ spot: { is: 'ready', value: await archive.spotCheck({ files }) } })
  } catch (error) {
    store.setState({ spot: { is: 'refused', fault: faultFrom(error) } })
  }
  await store.getState().load()
}

interface Following extends ArchiveServices {
  load: ArchiveState['load']
  updateCheck: CheckActions['update']
}

/** Follows the events of the archive for as long as the window is open. */
function follow({ archive, tasks, load, updateCheck }: Following): void {
  const isNews = newsOfChecks()
  const reload = throttled(() => void load(), reloadIntervalMs)
  archive.changed(reload)
  tasks.changed((task) => {
    if (!isCheckKind(task.kind)) return
    updateCheck(task)
    if (!isNews(task)) return
    // Users wait for the end of a check; its findings may come a little later.
    if (isRunning(task)) reload()
    else void load()
  })
}

function mapped<Value, Other>(loaded: Loaded<Value>, to: (value: Value) => Other): Loaded<Other> {
  return loaded.is === 'ready' ? { is: 'ready', value: to(loaded.value) } : loaded
}
