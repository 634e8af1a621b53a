import { message } from '../../contract/words/message.ts'
import { expect, test } from 'vitest'
import { openStore } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { openArchive, type Archive } from '../store/archive.ts'
import { openChecks } from '../testing/openChecks.ts'

const replicas = ['ONE', 'TWO'].map((name) => ({ name, folder: `/${name}` }))
const never = new AbortController().signal

interface Opened {
  world: SeededWorld
  archive: Archive
  missingCheck(files?: string): Promise<unknown>
  put(path: string): Promise<void>
  listed(): string[]
}

function trial(act: (opened: Opened) => Promise<void>): Promise<void> {
  const world = seededWorld({ seed: 5 })
  return world.run(
    (async () => {
      const store = openStore(':memory:')
      const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }
      const archive = await openArchive({ store, world, replicas, limits })
      const onBug = (error: unknown) => {
        throw error
      }
      const { preservation } = await openChecks({ archive, store, world, onBug })
      await act({
        world,
        archive,
        missingCheck: async (files) => preservation.ended((await preservation.check({ kind: 'missing', files })).task),
        put: (path) => world.disk.write(path, Buffer.from(path)),
        listed: () => archive.unregistered.files().map(({ path, bytes }) => `${path} ${bytes}`),
      })
      store.close()
    })(),
  )
}

test('a replica counts as never compared until all its names are compared', () =>
  trial(async ({ world, archive }) => {
    expect(archive.unregistered.isUnknown()).toBe(true)
    const heal = world.disk.fail({ path: /^\/TWO/, code: 'failed', calls: ['pages'] })
    expect(await archive.unregistered.compare(never)).toEqual([
      {
        replica: 'TWO',
        problem: message('replica.unlisted', { replica: 'TWO', reason: message('disk.failed', { path: '/TWO' }) }),
      },
    ])
    expect(archive.unregistered.isUnknown()).toBe(true)
    heal()
    expect(await archive.unregistered.compare(never)).toEqual([])
    expect(archive.unregistered.isUnknown()).toBe(false)
  }))

test('a file that is not in the catalogue is listed until it is registered or gone', () =>
  trial(async ({ world, archive, put, listed }) => {
    await put('/TWO/alien.warc')
    await put('/ONE/other.warc')
    expect(listed()).toEqual([])
    await archive.unregistered.compare(never)
    expect(listed()).toEqual(['/ONE/other.warc 15', '/TWO/alien.warc 15'])
    expect(archive.unregistered.count()).toBe(2)
    expect(archive.unregistered.names('', 10)).toEqual(['alien.warc', 'other.warc'])
    expect(archive.unregistered.placesOf('other.warc')).toMatchObject([{ replica: 'ONE', bytes: 15 }])
    await archive.store({ path: '/ONE/other.warc', name: 'other.warc', kind: 'content', jobId: null })
    expect(listed()).toEqual(['/TWO/alien.warc 15'])
    await world.disk.remove('/TWO/alien.warc')
    await archive.unregistered.compare(never)
    expect(listed()).toEqual([])
  }))

test('a check of missing files lists them too, and a partial check does not affect the others', () =>
  trial(async ({ world, archive, put, listed, missingCheck }) => {
    await put('/ONE/known.warc')
    await archive.store({ path: '/ONE/known.warc', name: 'known.warc', kind: 'content', jobId: null })
    await put('/ONE/a.warc')
    await put('/ONE/b.warc')
    await missingCheck('^(a|known)')
    expect(listed()).toEqual(['/ONE/a.warc 11'])
    await missingCheck()
    expect(listed()).toEqual(['/ONE/a.warc 11', '/ONE/b.warc 11'])
    await world.disk.remove('/ONE/a.warc')
    await missingCheck('^(b|known)')
    expect(listed()).toEqual(['/ONE/a.warc 11', '/ONE/b.warc 11'])
    await missingCheck()
    expect(listed()).toEqual(['/ONE/b.warc 11'])
  }))
