/** What is being viewed: the chosen jobs, the page, where it has been, what it asked for and what was missing. It does not
 *  know how the page is drawn: `order` says what the page is to do, and whoever draws it reports back. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { Answer, Miss, ViewSummary } from '../../src-main/contract/viewer.ts'
import type { Fault } from '../../src-main/contract/faults.ts'
import { faultFrom, loadedFrom, loading, type Loaded } from './loaded.ts'
import { pageAt, pageOfAnswers, sameAddress, type SettledPage } from './pageOfAnswers.ts'
import { throttled } from './throttled.ts'
import { arrived, neighbour, noTrail, type Step, type Trail } from './trail.ts'

/** A page may ask for hundreds of files in a second; the panel is drawn again at most this often. */
const drawIntervalMs = 150
/** Rows of the resource panel: an endless page must not fill the memory. The proxy keeps its own list. */
const resourcesMax = 5_000

export interface Order {
  number: number
  step: Step
  url: string
}

export interface ViewState {
  view: Loaded<ViewSummary | null>
  opening: boolean
  refusal: Fault | null
  order: Order | null
  /** Null until the first page has arrived. */
  address: string | null
  arriving: boolean
  trail: Trail
  page: Answer | null
  resources: Answer[]
  misses: Loaded<Miss[]>
  load(): Promise<void>
  /** `url`: where to begin; else where one is, or at the first seed. */
  open(choice: { jobs: number[]; at?: string; url?: string }): Promise<void>
  go(url: string): void
  step(step: Exclude<Step, 'open'>): void
  /** The frame has finished loading something. */
  frameLoaded(): Promise<void>
  /** The view says where it is now. */
  navigated(url: string): Promise<void>
  clearMisses(): Promise<void>
}

export type ViewServices = {
  viewer: Pick<Loupe['viewer'], 'open' | 'current' | 'answers' | 'answered'>
  missing: Loupe['missing']
}

const nowhere = { order: null, address: null, arriving: false, trail: noTrail, page: null, resources: [] as Answer[] }

export function makeView({ viewer, missing }: ViewServices): StoreApi<ViewState> {
  /** Answers up to this one belong to pages that have been left, or to the one that is shown. */
  let settledTo = 0
  /** Answers heard since the panel was last drawn. */
  let heard: Answer[] = []

  const store = createStore<ViewState>()((set, get) => ({
    ...nowhere,
    view: loading,
    opening: false,
    refusal: null,
    misses: loading,
    load: async () => {
      const view = await loadedFrom(viewer.current({}))
      set({ view })
      if (view.is !== 'ready' || view.value === null) return
      if (settledTo === 0) settledTo = lastId(await viewer.answers({ after: 0 })) ?? 0
      await loadMisses()
    },
    open: async ({ url: wanted, ...choice }) => {
      set({ opening: true, refusal: null })
      try {
        const { url, ...view } = await viewer.open(choice)
        const stay = get().address
        set({ ...nowhere, view: { is: 'ready', value: view } })
        await loadMisses()
        const begin = wanted ?? stay ?? url
        if (begin !== null) get().go(begin)
      } catch (error) {
        set({ refusal: faultFrom(error) })
      } finally {
        set({ opening: false })
      }
    },
    go: (url) => give('open', url),
    step: (step) => {
      const { address, trail } = get()
      const url = step === 'reload' ? address : neighbour(trail, step)
      if (url) give(step, url)
    },
    frameLoaded: async () => {
      const { arriving, order, address } = get()
      if (order === null) return
      const answers = await viewer.answers({ after: settledTo })
      const settled = pageOfAnswers(answers, { asked: arriving ? order.url : null, previous: address })
      settle(answers, settled, settled?.page.url ?? (arriving ? order.url : address))
    },
    navigated: async (url) => {
      const answers = await viewer.answers({ after: settledTo })
      settle(answers, pageAt(answers, url), url)
    },
    clearMisses: async () => {
      const view = current()
      if (!view) return
      set({ refusal: null })
      try {
        await missing.clear({ view: view.view })
      } catch (error) {
        set({ refusal: faultFrom(error) })
      }
      await loadMisses()
    },
  }))

  function current(): ViewSummary | undefined {
    const { view } = store.getState()
    return view.is === 'ready' ? (view.value ?? undefined) : undefined
  }

  function give(step: Step, url: string): void {
    store.setState(({ order }) => ({ order: { number: (order?.number ?? 0) + 1, step, url }, arriving: true }))
  }

  function settle(answers: readonly Answer[], settled: SettledPage | undefined, address: string | null): void {
    settledTo = lastId(answers) ?? settledTo
    heard = heard.filter(({ id }) => id > settledTo)
    store.setState(({ trail, order, arriving, page, resources }) => {
      if (address === null) return { arriving: false }
      const step = arriving && order ? order.step : 'open'
      const moved = { address, arriving: false, trail: arrived(trail, address, step) }
      if (settled) return { ...moved, page: settled.page, resources: settled.resources.slice(-resourcesMax) }
      // Moved inside the page, or out of the browser's cache: what is known of it stays only if it is the same page.
      return page && sameAddress(page.url, address)
        ? { ...moved, page, resources }
        : { ...moved, page: null, resources: [...answers] }
    })
  }

  async function loadMisses(): Promise<void> {
    const view = current()
    if (view) store.setState({ misses: await loadedFrom(missing.list({ view: view.view })) })
  }

  const draw = throttled(() => {
    const late = heard
    heard = []
    // While a page arrives nobody can say yet whose answers these are; `settle` sorts them.
    if (late.length === 0 || store.getState().arriving) return
    store.setState(({ resources }) => ({ resources: withLate(resources, late) }))
  }, drawIntervalMs)
  const reloadMisses = throttled(() => void loadMisses(), drawIntervalMs)

  viewer.answered((answer) => {
    if (answer.view !== current()?.view) return
    if (!answer.found) reloadMisses()
    if (answer.id <= settledTo) return
    heard.push(answer)
    draw()
  })
  return store
}

function withLate(resources: readonly Answer[], late: readonly Answer[]): Answer[] {
  const known = new Set(resources.map(({ id }) => id))
  return [...resources, ...late.filter(({ id }) => !known.has(id))].slice(-resourcesMax)
}

function lastId(answers: readonly Answer[]): number | undefined {
  return answers.reduce<number | undefined>((last, { id }) => Math.max(last ?? 0, id), undefined)
}
