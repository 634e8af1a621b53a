import { describe, expect, test } from 'vitest'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openSettings } from './settings.ts'

async function settingsOf(toml: string) {
  const world = seededWorld({ seed: 1 })
  await world.run(world.disk.makeFolder('/archive'))
  await world.run(world.disk.write('/archive/loupe.toml', Buffer.from(toml)))
  return { world, settings: await world.run(openSettings(world, '/archive')) }
}

describe('replicas', () => {
  test.each([
    [
      'by default two that hold files',
      '',
      [
        { name: 'ONE', folder: '/archive/replicas/ONE', kind: 'files' },
        { name: 'TWO', folder: '/archive/replicas/TWO', kind: 'files' },
      ],
    ],
    [
      'those of checksums come after those of files',
      '[checksumReplicas]\nSUMS = "/elsewhere/sums"\n[replicas]\nONE = "one"\n',
      [
        { name: 'ONE', folder: '/archive/one', kind: 'files' },
        { name: 'SUMS', folder: '/elsewhere/sums', kind: 'checksums' },
      ],
    ],
  ])('%s', async (_, toml, expected) => {
    expect((await settingsOf(toml)).settings.replicas()).toMatchObject(expected)
  })
  test.each([
    ['', 'nobody', 0o700],
    ['[archive]\nsharedWith = "nobody"\n', 'nobody', 0o700],
    ['[archive]\nsharedWith = "group"\n', 'group', 0o2770],
  ])('their folders get the permissions of the sharedWith setting: %j', async (toml, who, mode) => {
    const { settings } = await settingsOf(toml)
    expect(settings.sharedWith()).toBe(who)
    expect(settings.replicas().map(({ folderMode }) => folderMode)).toEqual([mode, mode])
  })
  test('`sharedWith` accepts one of two words', async () => {
    await expect(settingsOf('[archive]\nsharedWith = "all"\n')).rejects.toThrow(
      'archive.sharedWith must be "nobody" or "group". Its value is "all".',
    )
  })
  test('refuses checksum replicas alone, and invalid names', async () => {
    await expect(settingsOf('[replicas]\n[checksumReplicas]\nSUMS = "sums"\n')).rejects.toMatchObject({
      code: 'badInput',
    })
    await expect(settingsOf('[checksumReplicas]\n"a b" = "sums"\n')).rejects.toMatchObject({ code: 'badInput' })
  })
  test('a checksum replica is set like any other setting', async () => {
    const { world, settings } = await settingsOf('')
    await world.run(settings.set('checksumReplicas', { SUMS: 'sums' }))
    const again = await world.run(openSettings(world, '/archive'))
    expect(again.replicas().at(-1)).toMatchObject({ name: 'SUMS', folder: '/archive/sums', kind: 'checksums' })
    expect(again.list().find(({ path }) => path === 'checksumReplicas')).toMatchObject({ source: 'loupe.toml' })
  })
})

test('a setting needs a restart while it differs from its value at the start, if it applies only at the start', async () => {
  const { world, settings } = await settingsOf('[viewer]\nport = 9001\n')
  const needing = () => settings.list().flatMap(({ path, needsRestart }) => (needsRestart ? [path] : []))
  expect(needing()).toEqual([])
  await world.run(settings.set('viewer.port', 9002))
  await world.run(settings.set('backup.keepCount', 7))
  expect(needing()).toEqual(['viewer.port'])
  await world.run(settings.set('viewer.port', 9001))
  expect(needing()).toEqual([])
  await world.run(settings.set('viewer.port', 9003))
  const again = await world.run(openSettings(world, '/archive'))
  expect(again.list().some(({ needsRestart }) => needsRestart)).toBe(false)
})
