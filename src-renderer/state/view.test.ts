import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Answer, Miss, ViewSummary } from '../../src-main/contract/services/viewer.ts'
import { makeView } from './view.ts'
import { isOfAnother, shownTab } from './viewTabs.ts'
import { now, event, servicesWith, answer } from './testing/storeFixtures.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function viewOf(jobs: number[], changes: Partial<ViewSummary> = {}): ViewSummary {
  return {
    ...{
      view: jobs[0] ?? 1,
      jobs,
      files: [],
      all: false,
      overlays: [],
      at: 'newest',
      withinDays: null,
      isExact: false,
      name: null,
    },
    ...{ captures: 3, seeds: [], jobsMissing: [], quarantined: { count: 0, first: [] } },
    filesMissing: { count: 0, first: [] },
    growth: { isGrowing: false, filesDone: 1, filesTotal: 1, jobsDone: 1, jobsFound: jobs },
    ...{ misses: 0, errors: 0, isRecording: true },
    ...changes,
  }
}

/** A view whose index is still being built. */
const growing = viewOf([1], {
  growth: { isGrowing: true, filesDone: 1, filesTotal: 2, jobsDone: 0, jobsFound: [1] },
})

test('a view: the progress of its index is followed until it is complete', async () => {
  const changed = event<ViewSummary>()
  const store = makeView(
    servicesWith({
      viewer: {
        current: () => Promise.resolve(growing),
        answers: () => Promise.resolve([]),
        errors: () => Promise.resolve([]),
        changed: changed.listen,
      },
      missing: { list: () => Promise.resolve([]) },
    }),
  )
  await store.getState().load()
  const whole = { ...growing.growth, isGrowing: false, filesDone: 2, jobsDone: 1 }
  changed.emit({ ...growing, captures: 9, growth: whole })
  expect(store.getState().view).toMatchObject({ is: 'ready', value: { captures: 9, growth: { isGrowing: false } } })
})

test('a view: events that arrive before an answer are kept and merged with it', async () => {
  const changed = event<ViewSummary>()
  const told = {
    ...growing,
    filesMissing: { count: 1, first: [{ name: 'a.warc.gz', reason: { code: 'index.file.unavailable' } }] },
  }
  /** Delivers an outdated reply after the event. */
  const late = <Answered>(answered: Answered) => {
    changed.emit(told)
    return Promise.resolve(answered)
  }
  const store = makeView(
    servicesWith({
      viewer: {
        current: () => late(growing),
        open: () => late({ ...growing, url: null }),
        keep: ({ name }) => late({ ...growing, name }),
        record: ({ isRecording }) => late({ ...growing, isRecording }),
        answers: () => Promise.resolve([]),
        errors: () => Promise.resolve([]),
        changed: changed.listen,
      },
      missing: { list: () => Promise.resolve([]) },
    }),
  )
  const { load, open, record } = store.getState()
  const expectShown = (shown: ViewSummary) => expect(store.getState().view).toEqual({ is: 'ready', value: shown })
  await load()
  expectShown(told)
  await open({ jobs: [1], name: 'mine' })
  expectShown({ ...told, name: 'mine' })
  await record(false)
  expectShown({ ...told, isRecording: false })
})

test('a view: opens at its first seed, follows the page, collects its requests, and goes back', async () => {
  const answered = event<Answer>()
  const answers: Answer[] = []
  const view = viewOf([1], { seeds: ['http://a.example/'] })
  const store = makeView(
    servicesWith({
      viewer: {
        open: () => Promise.resolve({ ...view, url: 'http://a.example/' }),
        answers: ({ after = 0 }) => Promise.resolve(answers.filter(({ id }) => id > after)),
        answered: answered.listen,
      },
      missing: { list: () => Promise.resolve([]) },
    }),
  )
  const t = (one: Answer) => (answers.push(one), answered.emit(one))
  const state = () => store.getState()
  const tab = () => shownTab(store.getState())

  await state().open({ jobs: [1] })
  expect(tab().order).toMatchObject({ step: 'open', url: 'http://a.example/' })
  t(answer(1, 'http://a.example/', { status: 301 }))
  t(answer(2, 'https://a.example/'))
  t(
    answer(3, 'https://a.example/gone.png', {
      ...{ referrer: 'https://a.example/', initiator: 'https://a.example/' },
      navigation: false,
      found: false,
      status: 404,
    }),
  )
  await state().frameLoaded(tab().id)
  expect(tab()).toMatchObject({ address: 'https://a.example/', arriving: false, page: { id: 2 } })
  expect(tab().resources.map(({ id }) => id)).toEqual([2, 3])

  t(answer(4, 'https://a.example/late.js', { initiator: 'https://a.example/', navigation: false }))
  // A response of the same view to another browser.
  t(answer(5, 'https://a.example/other.js', { viewing: 'viewing-1', referrer: 'https://a.example/' }))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(tab().resources.map(({ id }) => id)).toEqual([2, 3, 4])

  t(answer(5, 'https://a.example/second', { referrer: 'https://a.example/' }))
  await state().frameLoaded(tab().id)
  expect(tab()).toMatchObject({ address: 'https://a.example/second', history: { at: 1 } })
  expect(tab().resources.map(({ id }) => id)).toEqual([5])

  state().step('back')
  expect(tab().order).toMatchObject({ step: 'back', url: 'https://a.example/' })
  t(answer(6, 'https://a.example/'))
  await state().frameLoaded(tab().id)
  expect(tab()).toMatchObject({
    address: 'https://a.example/',
    history: { at: 0, addresses: ['https://a.example/', 'https://a.example/second'] },
  })

  await state().navigated(tab().id, 'https://a.example/#inside')
  expect(tab().page).toMatchObject({ id: 6 })

  // No frame reports a response that frames cannot show.
  state().go('https://a.example/paper.pdf')
  t(answer(7, 'https://a.example/frame.pdf', { mediaType: 'application/pdf' }))
  expect(tab().arriving).toBe(true)
  t(answer(8, 'https://a.example/paper.pdf', { mediaType: 'application/pdf' }))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(tab()).toMatchObject({ address: 'https://a.example/paper.pdf', arriving: false, page: { id: 8 } })

  await state().open({ jobs: [1], url: 'file:///papers/one.txt' })
  expect(tab().order).toMatchObject({ step: 'open', url: 'file:///papers/one.txt' })
})

test('a view: another job opens at its own first page, and a changed selection stays at the open page', async () => {
  const firstPages = new Map([
    [1, 'http://a.example/'],
    [2, 'http://b.example/'],
    [3, null],
  ])
  const store = makeView(
    servicesWith({
      viewer: {
        open: ({ jobs = [] }) => Promise.resolve({ ...viewOf(jobs), url: firstPages.get(jobs[0] ?? 0) ?? null }),
        answers: () => Promise.resolve([]),
      },
      missing: { list: () => Promise.resolve([]) },
    }),
  )
  const state = () => store.getState()
  const tab = () => shownTab(state())

  await state().open({ jobs: [1], beginAt: 'firstPage' })
  await state().navigated(tab().id, 'http://a.example/deep')
  expect([state().isShowing({ jobs: [1] }), state().isShowing({ jobs: [1, 2] })]).toEqual([true, false])
  await state().open({ jobs: [1, 2] })
  expect(tab().order).toMatchObject({ url: 'http://a.example/deep' })
  await state().open({ jobs: [2], beginAt: 'firstPage' })
  expect(tab().order).toMatchObject({ url: 'http://b.example/' })
  await state().open({ jobs: [3], beginAt: 'firstPage' })
  expect(tab()).toMatchObject({ order: null, address: null })
})

test('a view: when another window changes the view, the open page is marked as stale and missing resources are those of the new view', async () => {
  const changed = event<ViewSummary>()
  const answers: Answer[] = []
  const askedOf: (number | undefined)[] = []
  const summary = viewOf([1], { seeds: ['http://a.example/'] })
  const store = makeView(
    servicesWith({
      viewer: {
        open: () => Promise.resolve({ ...summary, url: 'http://a.example/' }),
        answers: ({ after = 0 }) => Promise.resolve(answers.filter(({ id }) => id > after)),
        changed: changed.listen,
      },
      missing: { list: ({ view }) => (askedOf.push(view), Promise.resolve([])) },
    }),
  )
  const state = () => store.getState()
  const isStale = (view: number) => isOfAnother(shownTab(state()), view)

  await state().open({ jobs: [1] })
  answers.push(answer(1, 'http://a.example/'))
  await state().frameLoaded(1)
  changed.emit({ ...summary, captures: 4 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect([isStale(1), askedOf.includes(2)]).toEqual([false, false])

  changed.emit({ ...summary, view: 2, jobs: [2] })
  await vi.advanceTimersByTimeAsync(1_000)
  expect([isStale(2), askedOf.at(-1)]).toEqual([true, 2])
  expect(shownTab(state())).toMatchObject({ address: 'http://a.example/', page: { id: 1 }, arriving: false })

  state().reloadTabs()
  expect(shownTab(state())).toMatchObject({ order: { step: 'reload', url: 'http://a.example/' }, arriving: true })
  answers.push(answer(2, 'http://a.example/', { view: 2 }))
  await state().frameLoaded(1)
  expect(isStale(2)).toBe(false)
})

test('a view: each tab has its own place, and in another view continues there when it is shown', async () => {
  const answered = event<Answer>()
  const answers: Answer[] = []
  const summary = viewOf([1], { seeds: ['http://a.example/'] })
  const kept: string[] = []
  let missed = Promise.resolve<Miss[]>([])
  const store = makeView(
    servicesWith({
      viewer: {
        open: () => Promise.resolve({ ...summary, url: 'http://a.example/' }),
        keep: ({ name }) => (kept.push(name), Promise.resolve({ ...summary, name })),
        record: ({ isRecording }) => Promise.resolve({ ...summary, isRecording }),
        answers: ({ after = 0 }) => Promise.resolve(answers.filter(({ id }) => id > after)),
        title: ({ url, captured }) => Promise.resolve({ title: `Title of ${url} at ${captured}` }),
        answered: answered.listen,
      },
      missing: { list: () => missed },
    }),
  )
  const t = (one: Answer) => (answers.push(one), answered.emit(one))
  const state = () => store.getState()
  const [first, second] = ['http://a.example/', 'http://a.example/second']

  await state().open({ jobs: [1], name: 'mine' })
  expect([kept, state().view]).toMatchObject([['mine'], { value: { name: 'mine' } }])
  t(answer(1, first))
  await state().frameLoaded(1)
  state().openTab(second)
  t(answer(2, second))
  await state().frameLoaded(2)
  expect(state().tabs).toMatchObject([
    { address: first, title: `Title of ${first} at ${now}`, history: { at: 0 } },
    { address: second, title: `Title of ${second} at ${now}`, history: { at: 0 } },
  ])

  // Further requests of a tab in the background stay its own.
  t(answer(3, 'http://a.example/late.js', { initiator: first, navigation: false }))
  t(answer(4, 'http://a.example/other.js', { initiator: second, navigation: false }))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(state().tabs.map(({ resources }) => resources.map(({ id }) => id))).toEqual([
    [1, 3],
    [2, 4],
  ])

  // The user goes elsewhere before the opening has finished: that page is opened, and once.
  const told = Promise.withResolvers<Miss[]>()
  missed = told.promise
  const opening = state().open({ jobs: [1], at: now })
  await vi.waitFor(() => expect(shownTab(state()).order).toBeNull())
  state().go(second)
  const { order } = shownTab(state())
  told.resolve([])
  await opening
  expect(shownTab(state()).order).toBe(order)

  await state().open({ jobs: [1], at: now })
  expect(state().tabs).toMatchObject([{ order: null, address: first }, { order: { url: second } }])
  t(answer(5, second))
  await state().frameLoaded(2)
  state().turnTab(1)
  expect(shownTab(state())).toMatchObject({ id: 1, order: { step: 'reload', url: first } })
  await state().frameLoaded(1)
  state().reloadTabs()
  expect(state().tabs).toMatchObject([{ order: { step: 'reload' } }, { order: null, address: second }])

  state().closeTab(1)
  expect(shownTab(state())).toMatchObject({ id: 2, order: { url: second } })

  // Sent to another URL during the lookup of its arrival: the arrival is outdated and does not become a step of its history.
  const came = state().frameLoaded(2)
  state().go(first)
  await came
  expect(shownTab(state())).toMatchObject({ order: { url: first }, arriving: true, page: null })
  await state().record(false)
  expect(state().view).toMatchObject({ value: { isRecording: false } })
  expect(state().choice()).toEqual({ jobs: [1], files: [], all: false, at: 'newest', isExact: false })
})

test('a view: responses that were listed for the empty document of a frame take nothing away from its page', async () => {
  const page = 'http://a.example/'
  const all = [answer(1, page), answer(2, `${page}a.png`, { initiator: page, navigation: false })]
  /** The engine's lists are held back, and delivered in the order in which the test wants them. */
  const lists: { deliver: () => void }[] = []
  let known = 0
  const store = makeView(
    servicesWith({
      viewer: {
        open: () => Promise.resolve({ ...viewOf([1]), url: page }),
        answers: ({ after = 0 }) => {
          const list = all.slice(0, known).filter(({ id }) => id > after)
          return new Promise((resolve) => lists.push({ deliver: () => resolve(list) }))
        },
      },
      missing: { list: () => Promise.resolve([]) },
    }),
  )
  const state = () => store.getState()
  const deliverNewestFirst = async () => {
    await vi.advanceTimersByTimeAsync(1)
    for (const { deliver } of lists.splice(0).toReversed()) {
      deliver()
      await vi.advanceTimersByTimeAsync(1)
    }
  }
  await state().open({ jobs: [1] })
  known = 1
  const empty = state().frameLoaded(1)
  await vi.advanceTimersByTimeAsync(1)
  known = 2
  const loaded = state().frameLoaded(1)
  await deliverNewestFirst()
  await deliverNewestFirst()
  await Promise.all([empty, loaded])
  expect(shownTab(state()).resources.map(({ id }) => id)).toEqual([1, 2])
})

test('a view: a page that the user goes to while the view is being opened is not replaced by the page before', async () => {
  const { promise: opened, resolve } = Promise.withResolvers<ViewSummary & { url: string | null }>()
  let wait: Promise<unknown> = Promise.resolve()
  const store = makeView(
    servicesWith({
      viewer: {
        open: async ({ jobs = [] }) => {
          await wait
          return { ...viewOf(jobs), url: 'http://a.example/' }
        },
        answers: () => Promise.resolve([]),
      },
      missing: { list: () => Promise.resolve([]) },
    }),
  )
  const state = () => store.getState()
  await state().open({ jobs: [1] })
  await state().frameLoaded(1)
  wait = opened
  const opening = state().open({ jobs: [2] })
  state().go('http://b.example/')
  const { order } = shownTab(state())
  resolve({ ...viewOf([2]), url: null })
  await opening
  // Again, because the view before may have answered.
  expect(shownTab(state())).toMatchObject({ order: { url: 'http://b.example/' }, arriving: true })
  expect(shownTab(state()).order).not.toBe(order)
})
