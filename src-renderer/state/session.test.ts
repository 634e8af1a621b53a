import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Connection } from '../links/connection.ts'
import { makeSession } from './session.tsx'
import { refuse, servicesWith } from './testing/storeFixtures.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a session: events lost before or during a broken connection are replaced by loading; the report is not', async () => {
  const asked: string[] = []
  const ask = (what: string) => () => (asked.push(what), refuse())
  let become: (next: Connection) => void = () => undefined
  const session = makeSession(
    servicesWith({
      jobs: { list: ask('jobs') },
      archive: {
        repairable: ask('repairs'),
        report: ask('report'),
        verifyAudit: ask('audit log'),
        status: ask('archive'),
      },
      batch: { list: ask('batch') },
      exports: { list: ask('exports') },
      settings: { list: ask('settings') },
      viewer: { current: ask('view') },
    }),
    {
      call: refuse,
      listen: () => () => undefined,
      connection: () => 'connecting',
      onConnection: (watcher) => ((become = watcher), () => undefined),
    },
    {
      page: null,
      files: { are: 'paths', pathOf: () => '' },
      askWhere: null,
      takePicture: null,
      exported: { is: 'folder', open: () => Promise.resolve() },
      isBesideEngine: false,
      account: null,
      onCommand: () => () => undefined,
    },
  )
  const all = ['archive', 'batch', 'exports', 'jobs', 'repairs', 'settings', 'view']
  const askedSince = async () => {
    await vi.advanceTimersByTimeAsync(0)
    return asked.splice(0).toSorted()
  }
  expect(await askedSince()).toEqual(all)
  become('open')
  expect(await askedSince()).toEqual(all)
  become('lost')
  expect(await askedSince()).toEqual([])
  await session.audit.getState().verify()
  expect(await askedSince()).toEqual(['audit log'])
  become('open')
  expect(await askedSince()).toEqual([...all, 'audit log'].toSorted())
})
