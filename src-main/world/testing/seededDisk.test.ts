import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededWorld } from './seeded.ts'
import { DiskFault, type WritableFile, type World } from '../world.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const seeds = Array.from({ length: 200 }, (_, index) => index)

async function textAt(world: World, path: string): Promise<string | undefined> {
  if (!(await world.disk.stat(path))) return undefined
  return Buffer.from(await world.disk.read(path, 1e6)).toString()
}

/** Runs `act`, cuts the power, and returns the texts then found at `paths`, each different result of many seeds once. */
async function afterCut(paths: string[], act: (world: World) => Promise<void>): Promise<(string | undefined)[][]> {
  const found = new Map<string, (string | undefined)[]>()
  for (const seed of seeds) {
    const world = seededWorld({ seed })
    await world.run(act(world))
    const again = world.crash()
    const row: (string | undefined)[] = []
    for (const path of paths) row.push(await again.run(textAt(again, path)))
    found.set(JSON.stringify(row), row)
  }
  return [...found.values()]
}

async function opened(world: World, path: string, text: string): Promise<WritableFile> {
  const file = await world.disk.openWrite(path, 'create')
  await file.append([bytes(text)])
  return file
}

describe('a power failure', () => {
  test('synced files stay complete', async () => {
    const found = await afterCut(['/a', '/folder/deep/b'], async ({ disk }) => {
      await disk.write('/a', bytes('old'))
      await disk.write('/a', bytes('new'))
      await disk.makeFolder('/folder/deep')
      await disk.write('/folder/deep/b', bytes('below'))
    })
    expect(found).toEqual([['new', 'below']])
  })
  test('of unsynced bytes a beginning stays, sometimes followed by zeros', async () => {
    const found = await afterCut(['/a'], async (world) => {
      const file = await opened(world, '/a', 'synced|')
      await file.sync()
      await world.disk.syncFolder('/')
      await file.append([bytes('unsynced')])
    })
    expect(found.length).toBeGreaterThan(9)
    for (const [text = ''] of found) {
      expect(text.startsWith('synced|')).toBe(true)
      expect('synced|unsynced'.startsWith(text.replace(/\0+$/, ''))).toBe(true)
    }
    expect(found).toContainEqual(['synced|'])
    expect(found).toContainEqual(['synced|unsynced'])
    expect(found.some(([text]) => text?.endsWith('\0'))).toBe(true)
  })
  test('an unsynced truncation is undone completely or not at all', async () => {
    const found = await afterCut(['/a'], async (world) => {
      const file = await opened(world, '/a', '0123456789')
      await file.sync()
      await world.disk.syncFolder('/')
      await file.truncate(4)
    })
    expect(found.map(([text]) => text).sort()).toEqual(['0123', '0123456789'])
  })
  test('a synced file in an unsynced folder may have no name', async () => {
    const found = await afterCut(['/a'], async (world) => {
      await (await opened(world, '/a', 'whole')).sync()
    })
    expect(found.map(([text]) => text)).toEqual(expect.arrayContaining(['whole', undefined]))
    expect(found).toHaveLength(2)
  })
  test('a rename is done or undone, never partly', async () => {
    const found = await afterCut(['/a', '/b'], async ({ disk }) => {
      await disk.write('/a', bytes('a'))
      await disk.write('/b', bytes('b'))
      await disk.rename('/a', '/b')
    })
    expect(found).toHaveLength(2)
    expect(found).toEqual(
      expect.arrayContaining([
        ['a', 'b'],
        [undefined, 'a'],
      ]),
    )
  })
  test('syncing one folder does not sync a rename in another', async () => {
    const found = await afterCut(['/x/a', '/y/b'], async ({ disk }) => {
      await disk.makeFolder('/x')
      await disk.makeFolder('/y')
      const file = await disk.openWrite('/x/a', 'create')
      await file.append([bytes('moved')])
      await file.sync()
      await disk.rename('/x/a', '/y/b')
      await disk.syncFolder('/y')
    })
    expect(found).toEqual([[undefined, 'moved']])
  })
  test('promises of the former machine never settle', async () => {
    const world = seededWorld({ seed: 1 })
    const heard: string[] = []
    const hear = (what: string) => () => void heard.push(what)
    void world.disk.write('/a', bytes('a')).then(hear('written'))
    void world.clock.sleep(5).then(hear('slept'))
    void world.network
      .connect({ host: 'absent', port: 1, tls: false, connectMsMax: 5, privateAllowed: true })
      .catch(hear('connected'))
    const again = world.crash()
    void world.disk.stat('/').then(hear('asked afterwards'))
    await again.run(again.clock.sleep(1000))
    expect(heard).toEqual([])
  })
})

/** The recipe every writer of the archive uses: bytes, sync, a line in the books, and only then the next. Whatever is in the
 *  books must be on the disk, wherever the power goes. */
test('at every call, acknowledged data is present', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 60 }), async (seed, calls) => {
      const world = seededWorld({ seed })
      let acknowledged = ''
      const work = async () => {
        await world.disk.makeFolder('/archive')
        const file = await world.disk.openWrite('/archive/a', 'create')
        await world.disk.syncFolder('/archive')
        for (const word of ['one,', 'two,', 'three,', 'four,', 'five,']) {
          await file.append([bytes(word.slice(0, 2)), bytes(word.slice(2))])
          await file.sync()
          acknowledged += word
        }
        await file.close()
        await world.disk.rename('/archive/a', '/archive/b')
        await world.disk.syncFolder('/archive')
        acknowledged += '!'
      }
      const ended = await world.runUntilCut(work(), calls)
      const again = world.crash()
      const text =
        (await again.run(textAt(again, '/archive/b'))) ?? (await again.run(textAt(again, '/archive/a'))) ?? ''
      expect(text.startsWith(acknowledged.replace('!', ''))).toBe(true)
      if (acknowledged.endsWith('!')) expect(await again.run(textAt(again, '/archive/a'))).toBeUndefined()
      expect(ended !== undefined).toBe(acknowledged.endsWith('!'))
    }),
    { numRuns: 300 },
  )
})

describe('injected faults', () => {
  const world = seededWorld({ seed: 9 })
  const { disk } = world
  const run = <T>(act: Promise<T>) => world.run(act)

  test('by path, action and number of times', async () => {
    disk.fail({ path: /bad$/, code: 'denied', calls: ['write'], times: 2 })
    for (const code of ['denied', 'denied', undefined]) {
      const fault = await run(
        disk.write('/bad', bytes('x')).then(
          () => undefined,
          (error: unknown) => error,
        ),
      )
      expect(fault instanceof DiskFault ? fault.code : fault).toBe(code)
    }
    const end = disk.fail({ path: /./, code: 'failed', after: 1 })
    await run(disk.stat('/bad'))
    await expect(run(disk.stat('/bad'))).rejects.toMatchObject({ code: 'failed' })
    expect(end()).toBe(1)
    expect(await run(disk.stat('/bad'))).toMatchObject({ bytes: 1 })
  })
  test('a full disk tears an append; after truncation and with room it continues', async () => {
    const file = await run(disk.openWrite('/full', 'create'))
    await run(file.append([bytes('kept ')]))
    disk.freeBytesLeft = 3
    await expect(run(file.append([bytes('to'), bytes('rn')]))).rejects.toMatchObject({ code: 'full', path: '/full' })
    expect(file.position).toBe(5)
    expect(await run(textAt(world, '/full'))).toBe('kept tor')
    await expect(run(disk.write('/other', bytes('12345')))).rejects.toMatchObject({ code: 'full' })
    expect(await run(disk.stat('/other'))).toBeUndefined()
    await run(file.truncate(file.position))
    expect(disk.freeBytesLeft).toBe(3)
    disk.freeBytesLeft = 100
    await run(file.append([bytes('whole')]))
    expect(await run(textAt(world, '/full'))).toBe('kept whole')
    await run(disk.remove('/full'))
    expect(disk.freeBytesLeft).toBe(105)
  })
  test('files in a mounted folder are on a device of their own, and a name with the same prefix is not', async () => {
    for (const folder of ['/mnt/drive/deep', '/mnt/drive-two']) await run(disk.makeFolder(folder))
    disk.mount('/mnt/drive')
    disk.mount('/mnt/drive/deep')
    const paths = ['/mnt', '/mnt/drive', '/mnt/drive/deep', '/mnt/drive-two']
    const devices = await run(Promise.all(paths.map((path) => disk.deviceOf(path))))
    expect(devices).toEqual(['/', '/mnt/drive', '/mnt/drive/deep', '/'])
  })
  test('a flipped bit is on the device and is not reported', async () => {
    await run(disk.write('/rot', bytes('aaaa')))
    disk.corrupt('/rot', 2)
    expect(() => disk.corrupt('/rot', 4)).toThrow('there is no byte 4')
    const seen = await run(textAt(world, '/rot'))
    expect(seen).not.toBe('aaaa')
    const again = world.crash()
    expect(await again.run(textAt(again, '/rot'))).toBe(seen)
  })
})
