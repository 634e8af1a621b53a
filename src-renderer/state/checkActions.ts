/** Checks in the store of the archive: starting, stopping, pausing and resuming them, their progress and their findings. */
import type { CheckSummary } from '../../src-main/contract/services/checks.ts'
import type { TaskSummary } from '../../src-main/contract/services/tasks.ts'
import { shownCheck, type ArchiveServices, type ArchiveState, type ArchiveStore } from './archiveState.ts'
import { workDone } from './checks.ts'
import type { LiveRows } from './liveRows.ts'
import { faultFrom, loadedFrom, loading, valueOf } from './loaded.ts'
import { newestAnswer } from './newestAnswer.ts'
import { seen } from './pace.ts'

export interface CheckActions extends Pick<ArchiveState, 'choose' | 'check' | 'stop' | 'pause' | 'resume'> {
  /** Loads the findings of the check that is shown. */
  loadFindings(): Promise<void>
  /** Takes the task of a check that an event reports. */
  update(task: TaskSummary): void
}

export function checkActions(
  { archive, tasks }: ArchiveServices,
  store: ArchiveStore,
  rows: LiveRows<CheckSummary>,
): CheckActions {
  const askFindings = newestAnswer()
  /** The last event of each check since the last request. The answer to a start may come after the end of a short check. */
  const reported = new Map<number, TaskSummary>()

  function known(check: number): CheckSummary | undefined {
    return valueOf(store.getState().checks)?.find(({ task }) => task === check)
  }

  async function loadFindings(): Promise<void> {
    const check = shownCheck(store.getState())
    if (!check) return
    const isNewest = askFindings()
    const findings = await loadedFrom(archive.findings({ check: check.task }))
    // Another check may have been chosen in the meantime.
    if (shownCheck(store.getState())?.task === check.task && isNewest()) store.setState({ findings })
  }

  function take(into: LiveRows<CheckSummary>['update'], changed: CheckSummary): void {
    const { done } = workDone(changed)
    store.setState(({ checks, samples }) => ({
      checks: into(checks, changed),
      samples: {
        ...samples,
        [changed.task]: seen(samples[changed.task] ?? [], { atMs: performance.now(), done }),
      },
    }))
  }

  async function order(begin: () => Promise<CheckSummary>): Promise<CheckSummary | undefined> {
    // A second click must not send a second request.
    if (store.getState().asking) return undefined
    store.setState({ asking: true, refusal: null })
    const answered = rows.order()
    reported.clear()
    try {
      const answer = await begin()
      const begun = withTask(answer, reported.get(answer.task))
      store.setState({ chosen: begun.task })
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

  /** Requests an action on a check that is listed. */
  async function act(action: 'stop' | 'pause' | 'resume', check: number): Promise<void> {
    const row = known(check)
    if (row) await order(async () => withTask(row, await tasks[action]({ task: check })))
  }

  return {
    loadFindings,
    update(task) {
      reported.set(task.task, task)
      const row = known(task.task)
      if (row) take(rows.update, withTask(row, task))
    },
    choose: async (check) => {
      store.setState({ chosen: check, findings: loading })
      await loadFindings()
    },
    check: (what) => order(() => archive.check(what)),
    stop: (check) => act('stop', check),
    pause: (check) => act('pause', check),
    resume: (check) => act('resume', check),
  }
}

/** A check with the current values of its task. The fields that only checks have do not change. */
function withTask(check: CheckSummary, task: TaskSummary | undefined): CheckSummary {
  return { ...check, ...task, kind: check.kind }
}
