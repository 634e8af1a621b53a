import { expect, test } from 'vitest'
import { outputTrial, type Exchange } from '../capture/connectors/testing/outputFixture.ts'
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
  const setting = { store, world, folder: '/job', signal: new AbortController().signal }
  return { world, path: `/job/${name}`, usable: () => world.run(hasLines(setting, name)) }
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
