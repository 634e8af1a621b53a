/** The current view: its files, open pages, their resources and missing resources. It does not know how a page is drawn: its tab's
 *  `order` says what to do, and the component that draws it reports back. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loupe } from '../../src-main/contract/contract.ts'
import { selectionOf, type Selection } from '../../src-main/contract/shapes/selection.ts'
import {
  pageTypes,
  type Answer,
  type Miss,
  type ViewAsked,
  type ViewError,
  type ViewSummary,
} from '../../src-main/contract/services/viewer.ts'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom, loadedFrom, loading, valueOf, type Loaded } from './loaded.ts'
import { isShowable, pageAt, pageOfAnswers, sameAddress, unshownOf, type SettledPage } from './pageOfAnswers.ts'
import { throttled } from './throttled.ts'
import { arrived, neighbour, type Step } from './trail.ts'
import { answersByTab, emptyTab, setDown, shownTab, tabBeside, withoutTab, type Tab, type Tabs } from './viewTabs.ts'

/** A page may ask for hundreds of files in a second; the panel is drawn again at most this often. */
const drawIntervalMs = 150
/** Rows of the resource panel: an endless page must not fill the memory. The proxy keeps its own list. */
const resourcesMax = 5_000

/** `name`: under which the choice is kept. */
export interface Choice extends ViewAsked {
  /** The URL to show. Absent: `beginAt` decides. */
  url?: string
  name?: string
  /** URL to show when none is given: the URL that the tab already shows (the default; the first page if it shows none), or the first page
   *  of what is opened. */
  beginAt?: 'shownPage' | 'firstPage'
}

export interface ViewState extends Tabs {
  view: Loaded<ViewSummary | null>
  opening: boolean
  refusal: Fault | null
  misses: Loaded<Miss[]>
  errors: Loaded<ViewError[]>
  load(): Promise<void>
  open(choice: Choice): Promise<void>
  /** The current view as a selection that can be changed. Undefined: no view is open. */
  choice(): ViewAsked | undefined
  /** Whether the view consists of exactly these jobs and files. */
  isShowing(selection: Selection): boolean
  /** Whether the file of a capture belongs to the view. */
  isViewed(capture: { job: number | null; file: string }): boolean
  go(url: string): void
  step(step: Exclude<Step, 'open'>): void
  openTab(url?: string): void
  closeTab(id: number): void
  showTab(id: number): void
  turnTab(by: 1 | -1): void
  /** Whatever drew the pages is gone, or what they are of: the one that is shown is asked for again, the others when they are shown. */
  loadAnew(): void
  /** The frame of a tab has finished loading something. */
  frameLoaded(id: number): Promise<void>
  /** The view of a tab says where it is now. */
  navigated(id: number, url: string): Promise<void>
  /** The component that drew this tab is gone; the tab continues where it was when it is shown again. */
  putDown(id: number): void
  clearFindings(): Promise<void>
  record(isRecording: boolean): Promise<void>
}

export type ViewServices = {
  viewer: Pick<
    Loupe['viewer'],
    'open' | 'keep' | 'current' | 'record' | 'title' | 'errors' | 'answers' | 'answered' | 'changed'
  >
  missing: Loupe['missing']
}

export function makeView({ viewer, missing }: ViewServices): StoreApi<ViewState> {
  /** Answers up to this one belong to pages that have been left, or to those that are open. */
  let settledTo = 0
  /** Answers heard since the panel was last drawn. */
  let heard: Answer[] = []
  /** Number of events so far about the view and its index. */
  let toldOf = 0
  let ordersGiven = 0
  let tabsOpened = 1

  const store = createStore<ViewState>()((set, get) => ({
    tabs: [emptyTab(tabsOpened)],
    shown: tabsOpened,
    view: loading,
    opening: false,
    refusal: null,
    misses: loading,
    errors: loading,
    load: async () => {
      const before = toldOf
      const view = await loadedFrom(viewer.current({}))
      if (toldOf === before) set({ view })
      if (view.is !== 'ready' || view.value === null) return
      if (settledTo === 0) settledTo = lastId(await viewer.answers({ after: 0 })) ?? 0
      await loadFindings()
    },
    open: async ({ url: wanted, name, beginAt = 'shownPage', ...asked }) => {
      set({ opening: true, refusal: null })
      try {
        const before = toldOf
        const { url, ...view } = await viewer.open(asked)
        const isOld = toldOf > before && current()?.view === view.view
        set(({ tabs }) => ({ ...(!isOld && { view: { is: 'ready', value: view } }), tabs: tabs.map(setDown) }))
        if (name !== undefined) amend({ name: (await viewer.keep({ name })).name })
        await loadFindings()
        // What the tab shows belongs to the jobs that were viewed before.
        if (beginAt === 'firstPage' && wanted === undefined && url === null)
          change(get().shown, ({ id }) => emptyTab(id))
        const begin = wanted ?? (beginAt === 'firstPage' ? url : (shownTab(get()).address ?? url))
        const { order } = shownTab(get())
        // A person may have gone somewhere meanwhile, or come back to this screen.
        const isUnderWay = order !== null && (order.step === 'open' || order.url === begin)
        if (begin !== null && !isUnderWay) get().go(begin)
      } catch (error) {
        set({ refusal: faultFrom(error) })
      } finally {
        set({ opening: false })
      }
    },
    choice: () => {
      const view = current()
      return view && choiceOf(view)
    },
    isShowing: (selection) => {
      const view = current()
      return view !== undefined && JSON.stringify(selectionOf(view)) === JSON.stringify(selectionOf(selection))
    },
    isViewed: ({ job, file }) => {
      const view = current()
      if (!view) return false
      return view.all || view.files.includes(file) || (job !== null && view.jobs.includes(job))
    },
    go: (url) => give(get().shown, 'open', url),
    step: (step) => {
      const { id, address, trail } = shownTab(get())
      const url = step === 'reload' ? address : neighbour(trail, step)
      if (url) give(id, step, url)
    },
    openTab: (url) => {
      const tab = emptyTab(++tabsOpened)
      set(({ tabs }) => ({ tabs: [...tabs, tab], shown: tab.id }))
      if (url !== undefined) get().go(url)
    },
    closeTab: (id) => {
      set((before) => withoutTab(before, id, ++tabsOpened))
      begin()
    },
    showTab: (id) => {
      set({ shown: id })
      begin()
    },
    turnTab: (by) => get().showTab(tabBeside(get(), by)),
    loadAnew: () => {
      set(({ tabs, shown }) => ({ tabs: tabs.map((tab) => (tab.id === shown && tab.arriving ? tab : setDown(tab))) }))
      begin()
    },
    frameLoaded: async (id) => {
      const tab = get().tabs.find((one) => one.id === id)
      if (!tab || tab.order === null) return
      const { arriving, order, address } = tab
      const answers = await unsettled()
      // Sent elsewhere meanwhile: that will be loaded too, and says where the tab is.
      if (get().tabs.find((one) => one.id === id)?.order !== order) return
      const settled = pageOfAnswers(answers, { asked: arriving ? order.url : null, previous: address })
      await settle(id, answers, settled, settled?.page.url ?? (arriving ? order.url : address))
    },
    navigated: async (id, url) => {
      const answers = await unsettled()
      await settle(id, answers, pageAt(answers, url), url)
    },
    putDown: (id) => {
      change(id, setDown)
      begin()
    },
    clearFindings: () =>
      changing(async ({ view }) => {
        await missing.clear({ view })
        await loadFindings()
      }),
    record: (isRecording) =>
      changing(async () => amend({ isRecording: (await viewer.record({ isRecording })).isRecording })),
  }))

  async function unsettled(): Promise<Answer[]> {
    return (await viewer.answers({ after: settledTo })).filter(isOurs)
  }

  function current(): ViewSummary | undefined {
    return valueOf(store.getState().view) ?? undefined
  }

  /** Only this part of an answer is used: events report all else, and may be newer. */
  function amend(part: Partial<ViewSummary>): void {
    const view = current()
    if (view) store.setState({ view: { is: 'ready', value: { ...view, ...part } } })
  }

  async function changing(change: (view: ViewSummary) => Promise<void>): Promise<void> {
    const view = current()
    if (!view) return
    store.setState({ refusal: null })
    try {
      await change(view)
    } catch (error) {
      store.setState({ refusal: faultFrom(error) })
    }
  }

  function change(id: number, changes: (tab: Tab) => Partial<Tab>): void {
    store.setState(({ tabs }) => ({ tabs: tabs.map((tab) => (tab.id === id ? { ...tab, ...changes(tab) } : tab)) }))
  }

  function give(id: number, step: Step, url: string): void {
    ordersGiven += 1
    const order = { number: ordersGiven, step, url }
    change(id, () => ({ order, arriving: true }))
  }

  /** A tab that was set down is taken up where it was. */
  function begin(): void {
    const { id, order, address } = shownTab(store.getState())
    if (order === null && address !== null) give(id, 'reload', address)
  }

  async function settle(
    id: number,
    answers: readonly Answer[],
    settled: SettledPage | undefined,
    address: string | null,
  ): Promise<void> {
    settledTo = lastId(answers) ?? settledTo
    heard = heard.filter((answer) => answer.id > settledTo)
    if (address === null) return change(id, () => ({ arriving: false }))
    change(id, ({ order, arriving, trail, page, title, resources }) => {
      const step = arriving && order ? order.step : 'open'
      const moved = { address, arriving: false, trail: arrived(trail, address, step) }
      if (settled) return { ...moved, page: asDocument(settled.page), resources: [], title: null }
      // Moved inside the page, or out of the browser's cache: what is known of it stays only if it is the same page.
      return page && sameAddress(page.url, address)
        ? { ...moved, page, resources, title }
        : { ...moved, page: null, resources: [], title: null }
    })
    addToTabs(settled?.resources ?? answers, id)
    await Promise.all([loadFindings(), loadTitle(id, address)])
  }

  function addToTabs(answers: readonly Answer[], likely: number): void {
    const byTab = answersByTab(answers, store.getState().tabs, likely)
    for (const [id, own] of byTab)
      if (own.length > 0) change(id, ({ page, resources }) => ({ resources: withLate(resources, own, page) }))
  }

  /** The response of a tab that waits for it, where no frame will report it. */
  async function settleUnshown(): Promise<void> {
    const answers = await unsettled()
    for (const { id, arriving, order } of store.getState().tabs) {
      const settled = arriving && order ? unshownOf(answers, order.url) : undefined
      if (settled) await settle(id, answers, settled, settled.page.url)
    }
  }

  /** A frame does not say what its page is called; the archive knows, of the very capture that is shown. */
  async function loadTitle(id: number, address: string): Promise<void> {
    const page = store.getState().tabs.find((tab) => tab.id === id)?.page
    if (!page?.captured) return
    const asked = { url: page.capturedUrl ?? page.url, captured: page.captured }
    const title = valueOf(await loadedFrom(viewer.title(asked)))?.title ?? null
    change(id, (tab) => (tab.address === address && tab.page?.captured === page.captured ? { title } : {}))
  }

  async function loadFindings(): Promise<void> {
    const view = current()
    if (!view) return
    const [misses, errors] = await Promise.all([
      loadedFrom(missing.list({ view: view.view })),
      loadedFrom(viewer.errors({})),
    ])
    store.setState({ misses, errors })
  }

  const draw = throttled(() => {
    const late = heard
    heard = []
    const { tabs, shown } = store.getState()
    // While a page is loading it is not known which tab these answers belong to; `settle` sorts them.
    if (late.length === 0 || tabs.some(({ arriving }) => arriving)) return
    addToTabs(late, shown)
  }, drawIntervalMs)
  const reloadFindings = throttled(() => void loadFindings(), drawIntervalMs)

  // Also when it was chosen elsewhere, for example by a command of the proxy. Open pages then stay, so that readers do not lose them
  // (`isOfAnother` tells); what was missing and wrong is that of the new one.
  viewer.changed((view) => {
    const isAnother = view.view !== current()?.view
    toldOf += 1
    store.setState({ view: { is: 'ready', value: view } })
    if (isAnother) reloadFindings()
  })
  viewer.answered((answer) => {
    if (!isOurs(answer) || answer.view !== current()?.view) return
    if (!answer.found || answer.status >= 400) reloadFindings()
    if (answer.id <= settledTo) return
    heard.push(answer)
    draw()
    if (answer.navigation && !isShowable(answer)) void settleUnshown()
  })
  return store
}

function choiceOf({ jobs, files, all, at, withinDays, isExact }: ViewSummary): ViewAsked {
  return { jobs, files, all, at, isExact, ...(withinDays === null ? {} : { withinDays }) }
}

/** Another browser's viewing may show the same view. */
function isOurs({ viewing }: Answer): boolean {
  return viewing === ''
}

function withLate(resources: readonly Answer[], late: readonly Answer[], page: Answer | null): Answer[] {
  const known = new Set(resources.map(({ id }) => id))
  const further = late.filter(({ id }) => !known.has(id)).map((answer) => (answer.id === page?.id ? page : answer))
  return [...resources, ...further].slice(-resourcesMax)
}

/** The interface shows pages in a frame of its own, so a browser may call the page itself a frame. */
function asDocument(page: Answer): Answer {
  return pageTypes.includes(page.resourceType) ? { ...page, resourceType: 'document' } : page
}

function lastId(answers: readonly Answer[]): number | undefined {
  return answers.reduce<number | undefined>((last, { id }) => Math.max(last ?? 0, id), undefined)
}
