import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { backupManifest, type BackupMade } from '../../src-main/contract/services/backups.ts'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { makeBackups } from './backups.ts'
import { valueOf } from './loaded.ts'
import { backedUp, now, event, servicesWith } from './testing/storeFixtures.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a backup is requested once, its progress is followed, and its result is kept', async () => {
  const changed = event<{ running: { phase: 'copying'; share: number } | null }>()
  const answer = Promise.withResolvers<BackupMade>()
  const made: BackupMade = { outcome: 'made', removed: [], backup: backupRow('a.db') }
  let asked = 0
  let loads = 0
  const services = servicesWith({
    backups: {
      changed: changed.listen,
      status: () => Promise.resolve({ ...backedUp, kept: (loads += 1) }),
      list: () => Promise.resolve([backupRow('a.db')]),
      make: () => {
        asked += 1
        return answer.promise
      },
    },
  })
  const store = makeBackups(services)
  const first = store.getState().make()
  const second = store.getState().make()
  changed.emit({ running: { phase: 'copying', share: 0.5 } })
  await vi.advanceTimersByTimeAsync(0)
  expect(store.getState()).toMatchObject({ asked: { is: 'make' }, running: { share: 0.5 }, outcome: null })
  answer.resolve(made)
  changed.emit({ running: null })
  await Promise.all([first, second])
  expect(asked).toBe(1)
  expect(store.getState()).toMatchObject({ asked: null, running: null, outcome: { is: 'made', made } })
  expect(valueOf(store.getState().status)?.kept).toBe(loads)
})

test('a refusal of a backup call is kept with its request', async () => {
  const services = servicesWith({
    backups: {
      status: () => Promise.resolve(backedUp),
      list: () => Promise.resolve([]),
      verify: () => Promise.reject(new Fault('unreachable', 'The drive is away.')),
    },
  })
  const store = makeBackups(services)
  await store.getState().verify('a.db')
  expect(store.getState().outcome).toMatchObject({ is: 'refused', asked: { is: 'verify', name: 'a.db' } })
})

function backupRow(name: string): BackupMade['backup'] {
  const manifest = backupManifest.omit({ problem: true, settings: true }).parse({
    ...{ archive: 'a', folder: '/archive', software: 'Loupe/1', made: now, confirmed: now, verified: now },
    ...{ bytes: 1, schemaVersion: 30, jobs: 0, files: 0, audit: null },
  })
  return { name, path: `/backups/${name}`, state: 'good', problem: null, sha256: 'a'.repeat(64), manifest }
}
