/** The store of the current view: its jobs and files, open pages, their resources and missing resources. It does not know how a page is
 *  rendered: the `order` of a tab says what to do, and the component that renders it reports back. */
import { createStore } from 'zustand/vanilla'
import type { ViewAsked, ViewSummary } from '../../src-main/contract/services/viewer.ts'
import { selectionOf } from '../../src-main/contract/shapes/selection.ts'
import { answerLog, isOfInterface } from './answerLog.ts'
import { currentView, type CurrentView } from './currentView.ts'
import { faultFrom, loading } from './loaded.ts'
import { openPages } from './openPages.ts'
import { firstTab, tabActions, type TabActions } from './viewTabActions.ts'
import { emptyTab, shownTab, unloaded } from './viewTabs.ts'
import type { Choice, ViewServices, ViewState, ViewStore } from './viewState.ts'

export function makeView({ viewer, missing }: ViewServices): ViewStore {
  return createStore<ViewState>()((_set, _get, store) => {
    const view = currentView({ viewer, missing }, store)
    const { change, ...tabs } = tabActions(store)
    const log = answerLog(viewer)
    const { loadFindings } = view
    const { frameLoaded, navigated, answered } = openPages({ viewer, store, log, change, loadFindings })
    viewer.changed((changed) => view.changed(changed))
    viewer.answered((answer) => {
      if (isOfInterface(answer) && view.answered(answer)) answered(answer)
    })
    return {
      tabs: [emptyTab(firstTab)],
      shown: firstTab,
      view: loading,
      opening: false,
      refusal: null,
      misses: loading,
      errors: loading,
      ...tabs,
      ...questionsAbout(view),
      frameLoaded,
      navigated,
      load: async () => {
        if (!(await view.load())) return
        await log.begin()
        await loadFindings()
      },
      open: (choice) => open({ store, view, change, go: tabs.go }, choice),
      clearFindings: () => view.clearFindings(),
      record: (isRecording) => view.record(isRecording),
    }
  })
}

function questionsAbout({ summary }: CurrentView): Pick<ViewState, 'choice' | 'isShowing' | 'isViewed'> {
  return {
    choice: () => {
      const view = summary()
      return view && choiceOf(view)
    },
    isShowing: (selection) => {
      const view = summary()
      return view !== undefined && JSON.stringify(selectionOf(view)) === JSON.stringify(selectionOf(selection))
    },
    isViewed: ({ job, file }) => {
      const view = summary()
      if (!view) return false
      const over = view.overlays.filter(({ isShown }) => isShown).map((overlay) => overlay.job)
      return view.all || view.files.includes(file) || (job !== null && [...view.jobs, ...over].includes(job))
    },
  }
}

function choiceOf({ jobs, files, all, at, withinDays, isExact, overlays }: ViewSummary): ViewAsked {
  return {
    ...{ jobs, files, all, at, isExact },
    ...(withinDays === null ? {} : { withinDays }),
    // Who hid them does not want them back with the next change.
    ...(overlays.some(({ isShown }) => !isShown) && { withOverlays: false }),
  }
}

interface Opening extends Pick<TabActions, 'change' | 'go'> {
  store: ViewStore
  view: CurrentView
}

/** Opens a view, and in the active tab the page to begin with. */
async function open({ store, view, change, go }: Opening, choice: Choice): Promise<void> {
  const { url: wanted, name, beginAt = 'shownPage', ...asked } = choice
  store.setState({ opening: true, refusal: null })
  try {
    const orderBefore = shownTab(store.getState()).order
    const firstPage = await view.open(asked)
    const { order: orderMeanwhile, arriving } = shownTab(store.getState())
    store.setState(({ tabs }) => ({ tabs: tabs.map(unloaded) }))
    // The former view may have answered where the user has gone in the meantime.
    if (orderMeanwhile && orderMeanwhile !== orderBefore && arriving) go(orderMeanwhile.url)
    if (name !== undefined) await view.keep(name)
    await view.loadFindings()
    // The page in the tab belongs to the former view.
    if (beginAt === 'firstPage' && wanted === undefined && firstPage === null)
      change(store.getState().shown, ({ id }) => emptyTab(id))
    const { address, order } = shownTab(store.getState())
    const begin = wanted ?? (beginAt === 'firstPage' ? firstPage : (address ?? firstPage))
    // The user may have navigated in the meantime, or returned to this screen.
    const isUnderWay = order !== null && (order.step === 'open' || order.url === begin)
    if (begin !== null && !isUnderWay) go(begin)
  } catch (error) {
    store.setState({ refusal: faultFrom(error) })
  } finally {
    store.setState({ opening: false })
  }
}
