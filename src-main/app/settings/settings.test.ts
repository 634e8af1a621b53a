import { describe, expect, test } from 'vitest'
import { seededWorld } from '../../world/testing/seeded.ts'
import { checkFile, openSettings } from './settings.ts'
import { settingTable } from './settingTable.ts'

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
    expect(again.list().find(({ path }) => path === 'checksumReplicas')).toMatchObject({ source: 'archive' })
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

describe('settings of the user for all archives', () => {
  async function layered(archive: string, user: string) {
    const world = seededWorld({ seed: 1 })
    await world.run(world.disk.makeFolder('/archive'))
    await world.run(world.disk.makeFolder('/home'))
    await world.run(world.disk.write('/archive/loupe.toml', Buffer.from(archive)))
    if (user !== '') await world.run(world.disk.write('/home/loupe.toml', Buffer.from(user)))
    return { world, opened: () => world.run(openSettings(world, '/archive', '/home/loupe.toml')) }
  }

  test('those of the archive come first, and each says where it comes from', async () => {
    const { opened } = await layered('[harvest]\nworkers = 3\n', '[harvest]\nworkers = 5\nattemptsMax = 2\n')
    const settings = await opened()
    const sourceOf = (path: string) => settings.list().find((row) => row.path === path)?.source
    expect(settings.crawl()).toMatchObject({ workers: 3, attemptsMax: 2 })
    expect(['harvest.workers', 'harvest.attemptsMax', 'harvest.delayMs'].map(sourceOf)).toEqual([
      ...['archive', 'user', 'default'],
    ])
  })

  test('a value is written into the file of the user, which need not exist', async () => {
    const { world, opened } = await layered('', '')
    const settings = await opened()
    const changed = await world.run(settings.set('harvest.attemptsMax', 4, 'user'))
    expect(changed).toMatchObject({ value: 4, source: 'user' })
    expect((await opened()).crawl().attemptsMax).toBe(4)
    expect(Buffer.from(await world.run(world.disk.read('/home/loupe.toml', 1_000))).toString()).toContain(
      'attemptsMax = 4',
    )
  })

  test('what describes one archive is refused there, in the file and when it is set', async () => {
    await expect((await layered('', '[viewer]\nport = 9000\n')).opened()).rejects.toThrow(
      '/home/loupe.toml, line 2: viewer.port describes one archive',
    )
    const { world, opened } = await layered('', '')
    const settings = await opened()
    await expect(world.run(settings.set('replicas', { ONE: 'one' }, 'user'))).rejects.toThrow('describes one archive')
  })
})

describe('a file is checked as a whole, with the line of each problem', () => {
  test.each<[string, string, RegExp[]]>([
    ['a valid file', '[harvest]\nworkers = 4\n', []],
    [
      'an unknown key',
      '# mine\n[harvest]\nworker = 4\n',
      [/line 3: There is no setting "harvest.worker"; .* "harvest.workers"/],
    ],
    [
      'several problems',
      '[harvest]\nworkers = 0\nwarcVersion = "2"\n[viewer]\nblock = ["http://a/"]\n',
      [
        /line 2: harvest.workers must be at least 1/,
        /line 3: harvest.warcVersion must be "1.0" or "1.1"/,
        /line 5: .*SURT prefix/,
      ],
    ],
    ['no TOML', '[harvest\n', [/line 1 \("\[harvest"\)/]],
    ['replicas in one folder', '[replicas]\nONE = "a"\nTWO = "a"\n', [/replicas\.ONE = "a", replicas\.TWO = "a"/]],
  ])('%s', async (_name, toml, expected) => {
    const world = seededWorld({ seed: 1 })
    await world.run(world.disk.write('/any.toml', Buffer.from(toml)))
    const problems = await world.run(checkFile(world, '/any.toml'))
    expect(problems).toHaveLength(expected.length)
    for (const [at, pattern] of expected.entries()) expect(problems[at]?.message).toMatch(pattern)
  })

  test('an absent file is reported', async () => {
    const world = seededWorld({ seed: 1 })
    await expect(world.run(checkFile(world, '/none.toml'))).rejects.toMatchObject({ code: 'notFound' })
  })
})

test('every example is a valid value other than the default', () => {
  for (const { path, shape, example, default: usual } of settingTable) {
    expect(shape.safeParse(example), path).toMatchObject({ success: true })
    expect(example, path).not.toEqual(usual)
  }
})
