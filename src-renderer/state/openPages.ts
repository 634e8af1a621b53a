/**
 * The pages of the open tabs. The interface shows them in frames that it cannot look into, so a page, its resources and its title are worked
 * out from the responses of the viewer.
 */
import { oneAtATime } from '../../src-main/contract/calls/oneAtATime.ts'
import { pageTypes, type Answer } from '../../src-main/contract/services/viewer.ts'
import { isOfInterface, type AnswerLog } from './answerLog.ts'
import { loadedFrom, valueOf } from './loaded.ts'
import { withLate } from './lateResources.ts'
import { isShowable, pageAt, pageOfAnswers, sameAddress, unshownOf, type SettledPage } from './pageOfAnswers.ts'
import { throttled } from './throttled.ts'
import { arrived } from './tabHistory.ts'
import { answersByTab, type Tab } from './viewTabs.ts'
import type { TabActions } from './viewTabActions.ts'
import type { ViewServices, ViewState, ViewStore } from './viewState.ts'

/** A page may request hundreds of resources per second; the panel is updated at most this often. */
const drawIntervalMs = 150
/** Limit of rows in the resource panel, because a page may send requests endlessly. The proxy keeps its own list. */
const resourcesMax = 5_000

interface Parts {
  viewer: Pick<ViewServices['viewer'], 'title'>
  store: ViewStore
  log: AnswerLog
  change: TabActions['change']
  /** Called when a page has arrived. */
  loadFindings(): Promise<void>
}

export interface OpenPages extends Pick<ViewState, 'frameLoaded' | 'navigated'> {
  /** Called with each response of the current view. */
  answered(answer: Answer): void
}

export function openPages(parts: Parts): OpenPages {
  const { store, log } = parts
  const tabOf = (id: number) => store.getState().tabs.find((tab) => tab.id === id)
  const turns = oneAtATime()

  /** Settles the tabs that `arrivals` finds in the unsettled responses. One at a time: a frame reports its empty document and then its page,
   *  and responses that were listed for the former would take away what the latter has requested. */
  async function arrive(arrivals: (answers: readonly Answer[]) => Arrival[]): Promise<void> {
    const arrived = await turns(async () => {
      const found = arrivals(await log.unsettled())
      for (const arrival of found) settle(parts, arrival)
      return found
    })
    await Promise.all(arrived.map((arrival) => loadAbout(parts, arrival)))
  }

  const draw = throttled(() => {
    const late = log.takeReported()
    const { tabs, shown } = store.getState()
    // While a page is loading it is not known which tab these responses belong to; `settle` sorts them.
    if (late.length === 0 || tabs.some(({ arriving }) => arriving)) return
    addToTabs(parts, late, shown)
  }, drawIntervalMs)

  async function frameLoaded(id: number): Promise<void> {
    const order = tabOf(id)?.order
    if (!order) return
    await arrive((answers) => {
      const tab = tabOf(id)
      // The tab got another order in the meantime: that page will be loaded too, and reported.
      if (tab?.order !== order) return []
      const { arriving, address } = tab
      const settled = pageOfAnswers(answers, { asked: arriving ? order.url : null, previous: address })
      return [{ id, answers, settled, address: settled?.page.url ?? (arriving ? order.url : address) }]
    })
  }

  async function navigated(id: number, url: string): Promise<void> {
    await arrive((answers) => [{ id, answers, settled: pageAt(answers, url), address: url }])
  }

  function answered(answer: Answer): void {
    if (!isOfInterface(answer) || !log.report(answer)) return
    draw()
    if (answer.navigation && !isShowable(answer)) void arrive((answers) => unshownIn(store.getState().tabs, answers))
  }

  return { frameLoaded, navigated, answered }
}

interface Arrival {
  id: number
  answers: readonly Answer[]
  /** The page and its resources; undefined where the tab moved without a request. */
  settled: SettledPage | undefined
  /** Null when the tab shows no page yet. */
  address: string | null
}

/** A tab has arrived at a page: its history, page and resources follow. */
function settle(parts: Parts, { id, answers, settled, address }: Arrival): void {
  const { log, change } = parts
  log.settle(answers)
  if (address === null) return change(id, () => ({ arriving: false }))
  change(id, (tab) => ({ ...movedTo(tab, address), ...pageIn(tab, settled, address) }))
  addToTabs(parts, settled?.resources ?? answers, id)
}

/** What the archive knows about the page at which a tab has arrived. */
async function loadAbout(parts: Parts, { id, address }: Arrival): Promise<void> {
  if (address !== null) await Promise.all([parts.loadFindings(), loadTitle(parts, id, address)])
}

function movedTo({ order, arriving, history }: Tab, address: string): Partial<Tab> {
  const step = arriving && order ? order.step : 'open'
  return { address, arriving: false, history: arrived(history, address, step) }
}

function pageIn({ page }: Tab, settled: SettledPage | undefined, address: string): Partial<Tab> {
  if (settled) return { page: asDocument(settled.page), resources: [], title: null }
  // Navigation within the page or from the browser's cache: its data stays only when it is the same page.
  return page && sameAddress(page.url, address) ? {} : { page: null, resources: [], title: null }
}

/** A response that no frame reports, such as a download, settles the tab that waits for it. */
function unshownIn(tabs: readonly Tab[], answers: readonly Answer[]): Arrival[] {
  return tabs.flatMap(({ id, arriving, order }) => {
    const settled = arriving && order ? unshownOf(answers, order.url) : undefined
    return settled ? [{ id, answers, settled, address: settled.page.url }] : []
  })
}

/** `likely`: the tab for responses whose page is unknown. */
function addToTabs({ store, change }: Parts, answers: readonly Answer[], likely: number): void {
  for (const [id, own] of answersByTab(answers, store.getState().tabs, likely))
    if (own.length > 0)
      change(id, ({ page, resources }) => ({ resources: withLate(resources, { late: own, page, most: resourcesMax }) }))
}

/** A frame does not reveal the title of its page; the archive knows it for the capture shown. */
async function loadTitle({ viewer, store, change }: Parts, id: number, address: string): Promise<void> {
  const page = store.getState().tabs.find((tab) => tab.id === id)?.page
  if (!page?.captured) return
  const asked = { url: page.capturedUrl ?? page.url, captured: page.captured }
  const title = valueOf(await loadedFrom(viewer.title(asked)))?.title ?? null
  change(id, (tab) => (tab.address === address && tab.page?.captured === page.captured ? { title } : {}))
}

/** The interface shows pages in a frame of its own, so a browser may call the page itself a frame. */
function asDocument(page: Answer): Answer {
  return pageTypes.includes(page.resourceType) ? { ...page, resourceType: 'document' } : page
}
