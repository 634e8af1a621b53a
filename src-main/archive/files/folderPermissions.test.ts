import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SharedWith } from '../../contract/shapes/choices.ts'
import { realWorld } from '../../world/real.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { closeContents, closeFolder, folderModeFor } from './folderPermissions.ts'

const folder = '/archive'
/** Makes an archive as earlier versions of Loupe did: its folder and everything in it readable by all users. */
const open: [path: string, mode: number][] = [
  ['', 0o755],
  ['loupe.db', 0o644],
  ['loupe.db-wal', 0o644],
  ['engine.json', 0o600],
  ['credentials.json', 0o600],
  ['jobs', 0o755],
  ['jobs/1', 0o755],
  ['jobs/1/a.warc.gz', 0o644],
  ['replicas', 0o755],
  ['replicas/ONE', 0o775],
  ['replicas/ONE/read-only.warc', 0o444],
  ['replicas/ONE/b.warc', 0o664],
]

function madeWorld(seed = 1): SeededWorld {
  return seededWorld({ seed })
}

async function made({ disk }: SeededWorld): Promise<void> {
  for (const [path, mode] of open) {
    const isFolder = open.some(([other]) => other.startsWith(path === '' ? 'l' : `${path}/`))
    if (isFolder) await disk.makeFolder(join(folder, path))
    else await disk.write(join(folder, path), Buffer.from('x'))
    await disk.setMode(join(folder, path), mode)
  }
}

async function modes({ disk }: SeededWorld): Promise<Record<string, string>> {
  const entries = await Promise.all(
    open.map(async ([path]) => [path, ((await disk.stat(join(folder, path)))?.mode ?? 0).toString(8)]),
  )
  return Object.fromEntries(entries) as Record<string, string>
}

const never = new AbortController().signal

const closed: Record<SharedWith, Record<string, string>> = {
  nobody: {
    '': '700',
    'loupe.db': '600',
    'loupe.db-wal': '600',
    'engine.json': '600',
    'credentials.json': '600',
    jobs: '700',
    'jobs/1': '700',
    'jobs/1/a.warc.gz': '600',
    replicas: '700',
    'replicas/ONE': '700',
    'replicas/ONE/read-only.warc': '400',
    'replicas/ONE/b.warc': '600',
  },
  group: {
    '': '2770',
    'loupe.db': '660',
    'loupe.db-wal': '660',
    'engine.json': '600',
    'credentials.json': '600',
    jobs: '2770',
    'jobs/1': '2770',
    'jobs/1/a.warc.gz': '660',
    replicas: '2770',
    'replicas/ONE': '2770',
    'replicas/ONE/read-only.warc': '440',
    'replicas/ONE/b.warc': '660',
  },
}

describe.each(['nobody', 'group'] as const)('an archive that is shared with %s', (sharedWith) => {
  test('access is restricted for the folder and its files at once, then below', async () => {
    const world = madeWorld()
    await world.run(
      (async () => {
        await made(world)
        const of = { disk: world.disk, folder, sharedWith }
        expect(await closeFolder(of)).toEqual({ was: 0o755, refused: undefined })
        const atOnce = ['', 'loupe.db', 'loupe.db-wal', 'engine.json', 'credentials.json']
        const before = Object.fromEntries(open.map(([path, mode]) => [path, mode.toString(8)]))
        expect(await modes(world)).toEqual({
          ...before,
          ...Object.fromEntries(atOnce.map((path) => [path, closed[sharedWith][path]])),
        })
        expect(await closeContents(of, never)).toEqual({ changed: 7, refused: 0 })
        expect(await modes(world)).toEqual(closed[sharedWith])
      })(),
    )
  })

  test('a restricted folder is only inspected, without descending', async () => {
    const world = madeWorld()
    await world.run(
      (async () => {
        await made(world)
        const of = { disk: world.disk, folder, sharedWith }
        await closeFolder(of)
        await closeContents(of, never)
        world.disk.fail({ path: /./, code: 'failed', calls: ['setMode'] })
        world.disk.fail({ path: /archive\/./, code: 'failed', calls: ['pages'] })
        expect(await closeFolder(of)).toEqual({ was: undefined, refused: undefined })
        expect(await closeContents(of, never)).toEqual({ changed: 0, refused: 0 })
      })(),
    )
  })

  test('interrupted at any point, it continues the next time', async () => {
    for (let after = 0; after < 8; after += 1) {
      const world = madeWorld()
      await world.run(
        (async () => {
          await made(world)
          const of = { disk: world.disk, folder, sharedWith }
          await closeFolder(of)
          const end = world.disk.fail({ path: /./, code: 'failed', calls: ['setMode'], after })
          await closeContents(of, never).catch(() => undefined)
          end()
          await closeContents(of, never)
          expect(await modes(world)).toEqual(closed[sharedWith])
        })(),
      )
    }
  })

  test('changing back and forth gives the same result', async () => {
    const world = madeWorld()
    await world.run(
      (async () => {
        await made(world)
        const other = sharedWith === 'nobody' ? 'group' : 'nobody'
        for (const each of [sharedWith, other, sharedWith] as const) {
          const of = { disk: world.disk, folder, sharedWith: each }
          await closeFolder(of)
          await closeContents(of, never)
          expect(await modes(world)).toEqual(closed[each])
        }
      })(),
    )
  })

  test('files of another account are counted, and the rest is restricted', async () => {
    const world = madeWorld()
    await world.run(
      (async () => {
        await made(world)
        const of = { disk: world.disk, folder, sharedWith }
        world.disk.fail({ path: /(b\.warc|archive)$/, code: 'denied', calls: ['setMode'] })
        expect(await closeFolder(of)).toEqual({ was: 0o755, refused: 'denied' })
        expect(await closeContents(of, never)).toEqual({ changed: 6, refused: 1 })
        expect(await modes(world)).toEqual({ ...closed[sharedWith], '': '755', 'replicas/ONE/b.warc': '664' })
      })(),
    )
  })
})

test('a file system without permissions is detected', async () => {
  const world = madeWorld()
  await world.run(
    (async () => {
      await made(world)
      const disk = { ...world.disk, setMode: async () => undefined }
      expect(await closeFolder({ disk, folder, sharedWith: 'nobody' })).toEqual({ was: 0o755, refused: 'ignored' })
    })(),
  )
})

test('work stopped by a signal is left for later', async () => {
  const world = madeWorld()
  await world.run(
    (async () => {
      await made(world)
      const of = { disk: world.disk, folder, sharedWith: 'nobody' } as const
      expect(await closeContents(of, AbortSignal.abort())).toEqual({ changed: 0, refused: 0 })
    })(),
  )
})

test.skipIf(process.platform === 'win32')('on a real disk too, without changing the targets of links', async () => {
  const root = mkdtempSync(join(tmpdir(), 'loupe-permissions-'))
  const archive = join(root, 'archive')
  mkdirSync(join(archive, 'replicas'), { recursive: true })
  mkdirSync(join(root, 'elsewhere'))
  writeFileSync(join(root, 'elsewhere', 'a'), 'x')
  writeFileSync(join(archive, 'replicas', 'b'), 'x')
  for (const path of ['archive', 'archive/replicas', 'elsewhere']) chmodSync(join(root, path), 0o755)
  for (const path of ['elsewhere/a', 'archive/replicas/b']) chmodSync(join(root, path), 0o644)
  symlinkSync(join(root, 'elsewhere'), join(archive, 'linked'))
  symlinkSync(join(root, 'elsewhere', 'a'), join(archive, 'linkedFile'))
  symlinkSync(join(root, 'nothing'), join(archive, 'nowhere'))
  const of = { disk: realWorld().disk, folder: archive, sharedWith: 'nobody' } as const
  expect(await closeFolder(of)).toEqual({ was: 0o755, refused: undefined })
  expect(await closeContents(of, never)).toEqual({ changed: 2, refused: 0 })
  const modeOf = (path: string) => (statSync(join(root, path)).mode & 0o7777).toString(8)
  expect(['archive', 'archive/replicas', 'archive/replicas/b', 'elsewhere', 'elsewhere/a'].map(modeOf)).toEqual([
    '700',
    '700',
    '600',
    '755',
    '644',
  ])
  expect(readdirSync(archive)).toHaveLength(4)
  rmSync(root, { recursive: true })
})

test('a new folder has the permissions of the setting', () => {
  expect([folderModeFor('nobody'), folderModeFor('group')]).toEqual([0o700, 0o2770])
})
