import { expect, test } from 'vitest'
import { outputTrial, type Exchange } from '../capture/connectors/testing/outputFixture.ts'
import { recoverFiles } from '../capture/records/fileRecovery.ts'
import { DiskFault, type World } from '../../world/world.ts'
import type { Store } from '../../storage/storage.ts'
import { fileChecksums } from './fileChecksums.ts'
import { hasLines } from './keptLines.ts'

const page: Exchange = {
  url: 'http://a.test/',
  request: 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n',
  response: 'HTTP/1.1 200 OK\r\n\r\nhello',
}

/** A file that was written and closed, and whether its lines can be used. */
async function writtenFile() {
  const { world, store, open, keep, files } = await outputTrial()
  const output = open()
  await world.run(keep(output, [page]))
  await world.run(output.close())
  const [file] = await world.run(files())
  const name = file?.name ?? ''
  return { world, path: `/job/${name}`, usable: () => world.run(hasLines(linesOf(world, store), name)) }
}

function linesOf(world: World, store: Store) {
  const folder = '/job'
  return { store, world, folder, checksums: fileChecksums({ world, folder, signal: new AbortController().signal }) }
}

test('the lines of a file that has the bytes that were written are used', async () => {
  const { usable } = await writtenFile()
  expect(await usable()).toBe(true)
})

test('they are not used when one byte of the file has changed since, or the file is gone', async () => {
  const { world, path, usable } = await writtenFile()
  const bytes = (await world.run(world.disk.stat(path)))?.bytes ?? 0
  const file = await world.run(world.disk.openWrite(path, 'append'))
  await world.run(file.truncate(bytes - 1))
  await world.run(file.append([Buffer.from('?')]))
  await world.run(file.close())
  expect(await usable()).toBe(false)
  await world.run(world.disk.remove(path))
  expect(await usable()).toBe(false)
})

const later: Exchange = { ...page, url: 'http://a.test/later' }

type Trial = Awaited<ReturnType<typeof outputTrial>>

/** Interrupts a close at its call number `at`; resolves to false if it ended before that call. */
type Interruption = (trial: Trial, close: () => Promise<void>, at: number) => Promise<boolean>

const interruptions: [string, Interruption][] = [
  [
    'a fault of the disk',
    async ({ world }, close, at) => {
      const struck = world.disk.fail({ path: /^/, code: 'failed', after: at, times: 1 })
      await world.run(close().catch(onlyFaults))
      return struck() > 0
    },
  ],
  [
    'a power cut',
    async ({ world, crash }, close, at) => {
      const ended = await world.runUntilCut(close(), at + 1)
      crash()
      return ended === undefined
    },
  ],
  [
    'a full disk of the database',
    async ({ world, store }, close, at) => {
      store
        .statement(
          `CREATE TEMP TRIGGER full BEFORE UPDATE ON harvest_file WHEN ${at} = (NEW.sha256 IS OLD.sha256)
           BEGIN SELECT RAISE(ABORT, 'full'); END`,
        )
        .run({})
      await world.run(close().catch(onlyFaults))
      store.statement('DROP TRIGGER full').run({})
      return at < 2
    },
  ],
]

function onlyFaults(error: unknown): void {
  if (!(error instanceof DiskFault || (error instanceof Error && error.message === 'full'))) throw error
}

test.each(interruptions)(
  'after %s at any step of closing a file, lines that are used are those of a reader',
  async (_, interrupt) => {
    let used = 0
    for (let at = 0; ; at += 1) {
      const trial = await outputTrial()
      const { store, open, keep, files, world: first } = trial
      const output = open()
      await first.run(keep(output, [page]))
      const isInterrupted = await interrupt(trial, () => output.close(), at)
      const world = trial.now()
      await world.run(
        recoverFiles({
          store,
          world,
          folder: '/job',
          job: trial.job,
          runId: 'run',
          harvest: 1,
          software: 'test',
          practice: [],
          warcVersion: '1.1',
          metadataCompression: 'none',
        }),
      )
      const next = open()
      await world.run(keep(next, [later]))
      await world.run(next.close())
      for (const { name, kept, read } of await world.run(files())) {
        if (!(await world.run(hasLines(linesOf(world, store), name)))) continue
        expect(kept).toBe(read)
        used += 1
      }
      if (!isInterrupted) break
    }
    expect(used).toBeGreaterThan(0)
  },
)
