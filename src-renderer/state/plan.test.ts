import { expect, test, vi } from 'vitest'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import type {
  DeliveryDestination,
  DeliveryPlanDetails,
  DeliveryProgress,
  DeliveryStepFacts,
} from '../../src-main/contract/services/deliveries.ts'
import { deliveryPlanShape } from '../../src-main/contract/services/deliveryPlan.ts'
import { makePlan, rateNow } from './plan.ts'
import { now, servicesWith } from './testing/storeFixtures.ts'

const step = (name: string, role: DeliveryStepFacts['role']): DeliveryStepFacts => ({
  ...{ name, role, kind: 'k', effect: 'safe', isMutating: false, after: [], router: null, guarantee: null },
})
const written = deliveryPlanShape.parse({ name: 'p', steps: [{ name: 's', kind: 'k' }] })
const details = (changes: Partial<DeliveryPlanDetails> = {}): DeliveryPlanDetails => ({
  ...{ name: 'p', version: 2, newest: 2, created: now, run: 'running', isOnce: false, problem: null, counts: {} },
  ...{ plan: written, toml: '', versions: [{ version: 2, created: now }] },
  steps: [step('s', 'scanner'), step('x', 'processor'), step('d', 'destination'), step('e', 'destination')],
  ...changes,
})
const progress = (found: number, delivered: number, changes: Partial<DeliveryProgress> = {}): DeliveryProgress => ({
  ...{ version: 2, started: now, ended: null, edges: [] },
  steps: [
    { step: 's', done: found, dropped: 0, failed: 0 },
    { step: 'x', done: 999, dropped: 0, failed: 0 },
    { step: 'd', done: delivered, dropped: 0, failed: 0 },
    { step: 'e', done: delivered, dropped: 0, failed: 0 },
  ],
  ...changes,
})
const destination: DeliveryDestination = { id: 7, scanner: 's', destination: 'd', step: 'd', counts: { INDEXED: 3 } }

function plan() {
  const clock = { nowMs: 0 }
  const deliveries = {
    show: vi.fn(async () => details()),
    counts: vi.fn(async () => [destination]),
    progress: vi.fn(async (): Promise<DeliveryProgress | null> => progress(0, 0)),
    run: vi.fn(async () => details()),
  }
  const store = makePlan(servicesWith({ deliveries }), 'p', () => clock.nowMs)
  return { clock, deliveries, store, load: () => store.getState().load() }
}

test('speeds are those of scanners and of destinations, and fall while nothing is reported', async () => {
  const { clock, deliveries, store, load } = plan()
  await load()
  clock.nowMs = 2_000
  deliveries.progress.mockResolvedValue(progress(100, 40))
  await load()
  const { samples } = store.getState()
  expect(rateNow(samples.found, 2_000)).toBe(50)
  expect(rateNow(samples.delivered, 2_000)).toBe(40)
  expect(rateNow(samples.delivered, 8_000)).toBe(10)
  expect(rateNow(samples.delivered, 60_000)).toBe(0)
})

test('the steps of a version stay the same objects, so that they are laid out once', async () => {
  const { deliveries, store, load } = plan()
  const stepsNow = () => {
    const { view } = store.getState()
    return view.is === 'ready' ? view.value.details.steps : undefined
  }
  await load()
  const before = stepsNow()
  await load()
  expect(stepsNow()).toBe(before)
  deliveries.show.mockResolvedValue(details({ version: 1 }))
  await load()
  expect(stepsNow()).not.toBe(before)
})

test('a run that has ended, and that of another version, has no speed', async () => {
  const { deliveries, store, load } = plan()
  deliveries.progress.mockResolvedValue(progress(5, 5, { ended: now }))
  await load()
  expect(store.getState().samples).toEqual({ found: [], delivered: [] })
  deliveries.progress.mockResolvedValue(progress(5, 5, { version: 1 }))
  await load()
  expect(store.getState().view).toMatchObject({ is: 'ready', value: { progress: null } })
})

test('a refresh that fails keeps the plan, and one that finds no plan does not', async () => {
  const { deliveries, store, load } = plan()
  await load()
  deliveries.counts.mockRejectedValueOnce(new Fault('internal', 'away'))
  await load()
  expect(store.getState()).toMatchObject({ view: { is: 'ready' }, refreshFault: { code: 'internal' } })
  deliveries.show.mockRejectedValueOnce(new Fault('notFound', 'gone'))
  await load()
  expect(store.getState()).toMatchObject({ view: { is: 'refused' }, refreshFault: null })
})

test('a version that was chosen meanwhile is not replaced by the answer about another', async () => {
  const { deliveries, store, load } = plan()
  const late = Promise.withResolvers<DeliveryPlanDetails>()
  deliveries.show.mockReturnValueOnce(late.promise)
  const loading = load()
  await store.getState().choose(1)
  expect(deliveries.show).toHaveBeenLastCalledWith({ name: 'p', version: 1 }, expect.anything())
  late.resolve(details({ name: 'late' }))
  await loading
  expect(store.getState().view).toMatchObject({ value: { details: { name: 'p' } } })
})

test('the chosen version is run, and a refusal is kept', async () => {
  const { deliveries, store } = plan()
  await store.getState().choose(1)
  await store.getState().run(true)
  expect(deliveries.run).toHaveBeenLastCalledWith({ name: 'p', version: 1, isOnce: true }, expect.anything())
  deliveries.run.mockRejectedValueOnce(new Fault('refused', 'no'))
  await store.getState().run(false)
  expect(store.getState()).toMatchObject({ isStarting: false, refusal: { code: 'refused' } })
})
