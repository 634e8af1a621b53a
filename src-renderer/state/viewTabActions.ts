/** What users do with tabs. A tab gets an order, which the component that draws it carries out and reports back. */
import { neighbour, type Step } from './tabHistory.ts'
import { emptyTab, unloaded, shownTab, neighbourOf, withoutTab, type Tab } from './viewTabs.ts'
import type { ViewState, ViewStore } from './viewState.ts'

type UserActions = Pick<
  ViewState,
  'go' | 'step' | 'openTab' | 'closeTab' | 'showTab' | 'turnTab' | 'reloadTabs' | 'unloadTab'
>

export interface TabActions extends UserActions {
  /** Changes a tab, if it is still open. */
  change(id: number, changes: (tab: Tab) => Partial<Tab>): void
}

/** Number of the initial tab. */
export const firstTab = 1

export function tabActions(store: ViewStore): TabActions {
  let ordersGiven = 0
  let tabsOpened = firstTab

  function change(id: number, changes: (tab: Tab) => Partial<Tab>): void {
    store.setState(({ tabs }) => ({ tabs: tabs.map((tab) => (tab.id === id ? { ...tab, ...changes(tab) } : tab)) }))
  }

  function give(id: number, step: Step, url: string): void {
    ordersGiven += 1
    const order = { number: ordersGiven, step, url }
    change(id, () => ({ order, arriving: true }))
  }

  /** A tab whose view was dropped continues at its URL when it becomes active. */
  function loadShown(): void {
    const { id, order, address } = shownTab(store.getState())
    if (order === null && address !== null) give(id, 'reload', address)
  }

  function show(id: number): void {
    store.setState({ shown: id })
    loadShown()
  }

  const go = (url: string): void => give(store.getState().shown, 'open', url)

  return {
    change,
    go,
    step: (step) => {
      const { id, address, history } = shownTab(store.getState())
      const url = step === 'reload' ? address : neighbour(history, step)
      if (url) give(id, step, url)
    },
    openTab: (url) => {
      const tab = emptyTab(++tabsOpened)
      store.setState(({ tabs }) => ({ tabs: [...tabs, tab], shown: tab.id }))
      if (url !== undefined) go(url)
    },
    closeTab: (id) => {
      store.setState((before) => withoutTab(before, id, ++tabsOpened))
      loadShown()
    },
    showTab: show,
    turnTab: (by) => show(neighbourOf(store.getState(), by)),
    reloadTabs: () => {
      store.setState(({ tabs, shown }) => ({
        tabs: tabs.map((tab) => (tab.id === shown && tab.arriving ? tab : unloaded(tab))),
      }))
      loadShown()
    },
    unloadTab: (id) => {
      change(id, unloaded)
      loadShown()
    },
  }
}
