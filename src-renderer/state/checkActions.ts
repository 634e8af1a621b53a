/** Checks in the store of the archive: starting, stopping and resuming them, their progress and their findings. */
import type { CheckSummary } from '../../src-main/contract/services/checks.ts'
import { shownCheck, type ArchiveCalls, type ArchiveState, type ArchiveStore } from './archiveState.ts'
import { workDone } from './checks.ts'
import type { LiveRows } from './liveRows.ts'
import { faultFrom, loadedFrom, loading } from './loaded.ts'
import { newestAnswer } from './newestAnswer.ts'
import { seen } from './pace.ts'

export interface CheckActions extends Pick<ArchiveState, 'choose' | 'check' | 'stop' | 'resume'> {
  /** Loads the findings of the check that is shown. */
  loadFindings(): Promise<void>
  /** Takes a check that an event reports. */
  tell(check: CheckSummary): void
}

export function checkActions(archive: ArchiveCalls, store: ArchiveStore, rows: LiveRows<CheckSummary>): CheckActions {
  const askFindings = newestAnswer()

  async function loadFindings(): Promise<void> {
    const check = shownCheck(store.getState())
    if (!check) return
    const isNewest = askFindings()
    const findings = await loadedFrom(archive.findings({ check: check.check }))
    // Another check may have been chosen in the meantime.
    if (shownCheck(store.getState())?.check === check.check && isNewest()) store.setState({ findings })
  }

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

  async function order(begin: () => Promise<CheckSummary>): Promise<CheckSummary | undefined> {
    // A second press of the same button is no second order.
    if (store.getState().asking) return undefined
    store.setState({ asking: true, refusal: null })
    const answered = rows.order()
    try {
      const begun = await begin()
      store.setState({ chosen: begun.check })
      take(answered, begun)
      await loadFindings()
      return begun
    } catch (error) {
      store.setState({ refusal: faultFrom(error) })
      return undefined
    } finally {
      store.setState({ asking: false })
    }
  }

  return {
    loadFindings,
    tell: (check) => take(rows.tell, check),
    choose: async (check) => {
      store.setState({ chosen: check, findings: loading })
      await loadFindings()
    },
    check: (what) => order(() => archive.check(what)),
    stop: async (check) => void (await order(() => archive.stopCheck({ check }))),
    resume: async (check) => void (await order(() => archive.resumeCheck({ check }))),
  }
}
