import { expect, test } from 'vitest'
import { openAuditLog } from '../../archive/audit/audit.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openSettings } from './settings.ts'
import { noteSettings } from './settingsAudit.ts'

test('a setting that changed between two starts is an entry with its values before and after; others are none', async () => {
  const world = seededWorld({ seed: 1 })
  const store = openStore(':memory:')
  const auditLog = openAuditLog(store)
  const actions = () => auditLog.page({ offset: 0, limit: 100 }).rows
  const opened = async () => {
    noteSettings(auditLog, await openSettings(world, '/'), world.clock.now())
    return actions().length
  }
  await world.run(
    (async () => {
      expect(await opened()).toBe(0)
      const settings = await openSettings(world, '/')
      await settings.set('viewer.port', 9_000)
      expect(await opened()).toBe(0)
      await settings.set('places', { ONE: 'Aarhus' })
      expect(await opened()).toBe(1)
      expect(await opened()).toBe(1)
      await settings.set('preservation.overdueDays', 30)
      await settings.set('preservation.declared', ['stableStorage'])
      await settings.set('replicas', { ONE: 'one', TWO: 'two', THREE: 'three' })
      expect(await opened()).toBe(2)
      await settings.set('places', {})
      expect(await opened()).toBe(3)
    })(),
  )
  const [third, second, first] = actions()
  expect(first).toMatchObject({ who: 'user', what: 'settings', was: null, became: { places: { ONE: 'Aarhus' } } })
  expect(second).toMatchObject({
    was: first?.became,
    became: {
      replicas: { ONE: 'one', TWO: 'two', THREE: 'three' },
      places: { ONE: 'Aarhus' },
      'preservation.overdueDays': 30,
      'preservation.declared': ['stableStorage'],
    },
  })
  expect(third).toMatchObject({ was: second?.became, became: { places: {} } })
  expect((await auditLog.verifyChain(async () => undefined)).broken).toBeUndefined()
  store.close()
})

test('a setting that is new in this version does not count as a change', async () => {
  const world = seededWorld({ seed: 1 })
  const store = openStore(':memory:')
  const auditLog = openAuditLog(store)
  const settings = await world.run(openSettings(world, '/'))
  const became = Object.fromEntries(settings.list().map(({ path, value }) => [path, value]))
  const ofBefore = Object.fromEntries(Object.entries(became).filter(([path]) => /^(replicas|places)$/.test(path)))
  auditLog.append({ who: 'user', what: 'settings', subject: 'loupe.toml', became: ofBefore }, 0)
  noteSettings(auditLog, settings, 1)
  expect(auditLog.head()?.number).toBe(1)
  await world.run(settings.set('backup.keepDays', 5))
  noteSettings(auditLog, settings, 2)
  expect(auditLog.page({ offset: 0, limit: 1 }).rows[0]?.became).toMatchObject({ 'backup.keepDays': 5 })
  store.close()
})
