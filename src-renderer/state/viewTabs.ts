/** Tabs: the history of each and the resources that its page requested. Pure; `view.ts` changes them. */
import type { Answer } from '../../src-main/contract/services/viewer.ts'
import { sameAddress } from './pageOfAnswers.ts'
import { noHistory, type Step, type TabHistory } from './tabHistory.ts'

/** Order for the component that draws a tab. */
export interface Order {
  /** Increases over all tabs. */
  number: number
  step: Step
  url: string
}

export interface Tab {
  id: number
  /** Null when no page was requested since the view was opened. */
  order: Order | null
  /** Null until the first page has arrived. */
  address: string | null
  /** Title of the page; null when it has none or is not known yet. */
  title: string | null
  arriving: boolean
  history: TabHistory
  page: Answer | null
  resources: Answer[]
}

/** The open tabs. There is always at least one, and one of them is active. */
export interface Tabs {
  tabs: readonly Tab[]
  /** Number of the active tab. */
  shown: number
}

export function emptyTab(id: number): Tab {
  return { id, order: null, address: null, title: null, arriving: false, history: noHistory, page: null, resources: [] }
}

/** The page was loaded when another view was chosen, and stays until it is reloaded. */
export function isOfAnother({ page }: Tab, view: number): boolean {
  return page !== null && page.view !== view
}

/** The URL of a page stays, its responses do not: the view has changed, or its frame is gone. */
export function unloaded(tab: Tab): Tab {
  return { ...tab, order: null, arriving: false, page: null, resources: [] }
}

export function shownTab({ tabs, shown }: Tabs): Tab {
  const tab = tabs.find(({ id }) => id === shown)
  if (!tab) throw new Error(`there is no tab ${shown}`)
  return tab
}

/** A closed last tab is replaced by a new one. After the active tab its right neighbour becomes active, or else its left one. */
export function withoutTab({ tabs, shown }: Tabs, id: number, next: number): Tabs {
  const at = tabs.findIndex((tab) => tab.id === id)
  const left = tabs.filter((tab) => tab.id !== id)
  const [first] = left
  if (!first) return { tabs: [emptyTab(next)], shown: next }
  return { tabs: left, shown: shown === id ? (left[Math.min(at, left.length - 1)] ?? first).id : shown }
}

/** The tab `by` places to the right of the active one, around the ends. */
export function neighbourOf({ tabs, shown }: Tabs, by: 1 | -1): number {
  const at = tabs.findIndex(({ id }) => id === shown)
  return tabs.at((at + by) % tabs.length)?.id ?? shown
}

/** The responses that the page of each tab, or a page in one of its frames, requested. Responses for pages that no tab shows, such as those
 *  of another window, are left out. `likely`: the tab for responses without a known initiator, unless its page names itself in other
 *  requests. Responses must be in order, since a frame comes before what it requests. */
export function answersByTab(answers: readonly Answer[], tabs: readonly Tab[], likely: number): Map<number, Answer[]> {
  const shown = tabs.map((tab) => ({ ...tab, pages: pagesOf(tab), own: [] as Answer[] }))
  const names = ({ initiator }: Answer, { pages }: { pages: string[] }) =>
    pages.some((page) => sameAddress(initiator, page))
  const likelyTab = shown.find(({ id }) => id === likely)
  const isNamed = likelyTab && [...likelyTab.resources, ...answers].some((answer) => names(answer, likelyTab))
  for (const answer of answers) {
    const owner =
      [likelyTab, ...shown].find((tab) => tab && (answer.id === tab.page?.id || names(answer, tab))) ??
      (isUnnamedPart(answer) && !isNamed ? likelyTab : undefined)
    if (!owner) continue
    owner.own.push(answer)
    if (answer.navigation) owner.pages.push(answer.url)
  }
  return new Map(shown.map(({ id, own }) => [id, own]))
}

/** The page of the tab and those in its frames. */
function pagesOf({ address, page, resources }: Tab): string[] {
  const frames = resources.filter(({ navigation }) => navigation).map(({ url }) => url)
  return [...(address === null ? [] : [address]), ...(page ? [page.url] : []), ...frames]
}

/** Requested by a page that forbids the Referer, whichever that is. A page that was opened as one is no part of another. */
function isUnnamedPart({ initiator, navigation, resourceType }: Answer): boolean {
  return initiator === '' && (!navigation || resourceType !== 'document')
}
