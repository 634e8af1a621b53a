import { expect, test } from 'vitest'
import { message } from '../../src-main/contract/words/message.ts'
import type { CheckedPlan } from '../../src-main/contract/services/deliveries.ts'
import { makePlanChecks } from './planChecks.ts'
import { servicesWith } from './testing/storeFixtures.ts'

const good = (name: string): CheckedPlan => ({ faults: [], warnings: [], plan: { name, steps: [] } })
const faulty: CheckedPlan = {
  ...{ faults: [{ step: null, message: message('delivery.plan.noScanner') }], warnings: [], plan: null },
}

test('the newest answer wins, and the drawing stays that of the last text without faults', async () => {
  const waiting = new Map<string, (checked: CheckedPlan) => void>()
  const check = ({ toml }: { toml: string }) => new Promise<CheckedPlan>((resolve) => void waiting.set(toml, resolve))
  const store = makePlanChecks(servicesWith({ deliveries: { check } }))
  const answered = async (toml: string, checked: CheckedPlan, asked: Promise<void>) => {
    await expect.poll(() => waiting.has(toml)).toBe(true)
    waiting.get(toml)?.(checked)
    await asked
  }
  const [first, second] = [store.getState().check('1'), store.getState().check('2')]
  await answered('2', good('second'), second)
  await answered('1', faulty, first)
  expect(store.getState()).toMatchObject({ checked: { toml: '2', faults: [] }, drawn: { name: 'second' } })
  await answered('3', faulty, store.getState().check('3'))
  expect(store.getState()).toMatchObject({ checked: { toml: '3', plan: null }, drawn: { name: 'second' } })
})
