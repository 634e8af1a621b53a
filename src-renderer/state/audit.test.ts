import { expect, test } from 'vitest'
import { makeAudit } from './audit.ts'
import { servicesWith } from './testing/storeFixtures.ts'

test('the audit log: one that was verified while empty is verified again when entries may have arrived, otherwise only on request', async () => {
  let entries = 0
  let asked = 0
  const whole = { whole: true, broken: null, head: null, message: { code: 'text', values: { text: '' } } }
  const verifyAudit = () => {
    asked += 1
    return Promise.resolve({ ...whole, entries, witness: { state: 'agrees' as const, number: null } })
  }
  const store = makeAudit(servicesWith({ archive: { verifyAudit, auditVerifying: () => () => undefined } }))
  const { verify, loadIfEmpty } = store.getState()
  await loadIfEmpty()
  expect(asked).toBe(0)
  await verify()
  entries = 20
  await loadIfEmpty()
  expect(store.getState().verdict?.result.entries).toBe(20)
  await loadIfEmpty()
  expect(asked).toBe(2)
})
