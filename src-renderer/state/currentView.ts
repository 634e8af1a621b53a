/** The view that the engine has open, with what is missing and wrong in it. Another window or a command of the proxy may change it. */
import type { Answer, ViewSummary } from '../../src-main/contract/services/viewer.ts'
import { faultFrom, loadedFrom, valueOf } from './loaded.ts'
import { throttled } from './throttled.ts'
import type { Choice, ViewServices, ViewStore } from './viewState.ts'

/** A page may have hundreds of missing resources; the list is loaded at most this often. */
const reloadIntervalMs = 150

export interface CurrentView {
  summary(): ViewSummary | undefined
  /** Resolves with whether a view is open. */
  load(): Promise<boolean>
  /** Opens a view. Resolves with its first page, or null when it has none. */
  open(asked: Omit<Choice, 'url' | 'name' | 'beginAt'>): Promise<string | null>
  keep(name: string): Promise<void>
  record(isRecording: boolean): Promise<void>
  clearFindings(): Promise<void>
  loadFindings(): Promise<void>
  /** Called with each event about the view. */
  changed(view: ViewSummary): void
  /** Called with each response to a page. Returns whether it belongs to this view. */
  answered(answer: Answer): boolean
}

export function currentView({ viewer, missing }: ViewServices, store: ViewStore): CurrentView {
  /** Number of events about the view and its index: an answer that was requested before the last of them may be outdated. */
  let events = 0

  const summary = (): ViewSummary | undefined => valueOf(store.getState().view) ?? undefined

  /** Only this part of an answer is used: events report everything else, and may be newer. */
  function amend(part: Partial<ViewSummary>): void {
    const view = summary()
    if (view) store.setState({ view: { is: 'ready', value: { ...view, ...part } } })
  }

  async function loadFindings(): Promise<void> {
    const view = summary()
    if (!view) return
    const [misses, errors] = await Promise.all([
      loadedFrom(missing.list({ view: view.view })),
      loadedFrom(viewer.errors({})),
    ])
    store.setState({ misses, errors })
  }
  const reloadFindings = throttled(() => void loadFindings(), reloadIntervalMs)

  /** Runs an action on the current view, if there is one. */
  async function onView(action: (view: ViewSummary) => Promise<void>): Promise<void> {
    const view = summary()
    if (!view) return
    store.setState({ refusal: null })
    try {
      await action(view)
    } catch (error) {
      store.setState({ refusal: faultFrom(error) })
    }
  }

  return {
    summary,
    loadFindings,
    load: async () => {
      const before = events
      const view = await loadedFrom(viewer.current({}))
      if (events === before) store.setState({ view })
      return view.is === 'ready' && view.value !== null
    },
    open: async (asked) => {
      const before = events
      const { url, ...view } = await viewer.open(asked)
      const isOld = events > before && summary()?.view === view.view
      if (!isOld) store.setState({ view: { is: 'ready', value: view } })
      return url
    },
    keep: async (name) => amend({ name: (await viewer.keep({ name })).name }),
    record: (isRecording) =>
      onView(async () => amend({ isRecording: (await viewer.record({ isRecording })).isRecording })),
    clearFindings: () =>
      onView(async ({ view }) => {
        await missing.clear({ view })
        await loadFindings()
      }),
    changed: (view) => {
      const isAnother = view.view !== summary()?.view
      events += 1
      store.setState({ view: { is: 'ready', value: view } })
      // Open pages stay when a view was chosen elsewhere, so that readers do not lose them (`isOfAnother` tells).
      if (isAnother) reloadFindings()
    },
    answered: (answer) => {
      if (answer.view !== summary()?.view) return false
      if (!answer.found || answer.status >= 400) reloadFindings()
      return true
    },
  }
}
