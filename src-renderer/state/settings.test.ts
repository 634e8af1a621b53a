import { expect, test } from 'vitest'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { grouped, makeSettings } from './settings.ts'
import { servicesWith } from './testing/storeFixtures.ts'

test("settings: a change shows the engine's answer; a refusal is thrown and changes nothing", async () => {
  const setting = {
    path: 'harvest.delayMs',
    kind: 'number' as const,
    value: 300,
    default: 300,
    source: 'default' as const,
    example: 1,
    isOfArchive: false,
    meaning: 'Pause.',
    atStart: false,
    needsRestart: false,
  }
  const store = makeSettings(
    servicesWith({
      settings: {
        list: () => Promise.resolve([setting]),
        set: ({ value }) =>
          Number(value) < 0
            ? Promise.reject(new Fault('badInput', 'too small'))
            : Promise.resolve({ ...setting, value, source: 'archive' as const }),
      },
    }),
  )
  await store.getState().load()
  await store.getState().set('harvest.delayMs', 500)
  expect(store.getState().settings).toMatchObject({ value: [{ value: 500, source: 'archive' }] })
  await expect(store.getState().set('harvest.delayMs', -1)).rejects.toMatchObject({ code: 'badInput' })
  expect(grouped([setting, { ...setting, path: 'viewer.port' }]).map(([group]) => group)).toEqual(['harvest', 'viewer'])
})
