import { expect, test } from 'vitest'
import { seededWorld } from '../../world/testing/seeded.ts'
import { fileChecksums } from './fileChecksums.ts'

test('a checksum is known from its computation until the size or the time of the file changes', async () => {
  const world = seededWorld({ seed: 1 })
  const checksums = fileChecksums({ world, folder: '/job', signal: new AbortController().signal })
  const write = async (text: string) => {
    await world.clock.sleep(1_000)
    await world.disk.write('/job/a', Buffer.from(text))
  }
  const known = () => world.run(checksums.known('a'))
  await world.run(world.disk.makeFolder('/job'))
  await world.run(write('one'))
  expect(await known()).toBeUndefined()
  const computed = await world.run(checksums.compute('a'))
  expect(computed).toMatchObject({ bytes: 3, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string })
  expect(await known()).toEqual(computed)
  for (const text of ['three', 'two']) {
    await world.run(write(text))
    expect(await known()).toBeUndefined()
  }
  await world.run(world.disk.remove('/job/a'))
  expect(await known()).toBeUndefined()
})
