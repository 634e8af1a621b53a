import { expect, test } from 'vitest'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { openIncoming, type Piece } from './incoming.ts'

const folder = '/archive/incoming'
const path = `${folder}/a.warc`

function piece(from: number, text: string, bytesTotal: number): Piece {
  const bytes = (async function* () {
    for (const letter of text) yield await Promise.resolve(Buffer.from(letter))
  })()
  return { name: 'a.warc', from, bytesTotal, bytes }
}

async function handOver(world: SeededWorld): Promise<string | null> {
  const incoming = await openIncoming({ world, folder, importing: () => [] })
  await incoming.take(piece(0, 'WARC', 8))
  return (await incoming.take(piece(4, '/1.1', 8))).path
}

async function textAt(world: SeededWorld, at: string): Promise<string | undefined> {
  if (!(await world.disk.stat(at))) return undefined
  return Buffer.from(await world.disk.read(at, 100)).toString()
}

test('reports a full disk during a piece, and the piece can be sent again', async () => {
  const world = seededWorld({ seed: 1 })
  const incoming = await world.run(openIncoming({ world, folder, importing: () => [] }))
  await world.run(incoming.take(piece(0, 'WARC', 8)))
  world.disk.freeBytesLeft = 2
  await expect(world.run(incoming.take(piece(4, '/1.1', 8)))).rejects.toMatchObject({ code: 'noSpace' })
  world.disk.freeBytesLeft = 1000
  expect(await world.run(incoming.take(piece(4, '/1.1', 8)))).toEqual({ path })
  expect(await world.run(textAt(world, path))).toBe('WARC/1.1')
})

test('a part out of order changes nothing, even when it is repeated', async () => {
  const world = seededWorld({ seed: 4 })
  const incoming = await world.run(openIncoming({ world, folder, importing: () => [] }))
  await world.run(incoming.take(piece(0, 'WARC', 9)))
  for (const from of [6, 6, 2]) {
    const wrong = world.run(incoming.take(piece(from, 'xxx', 9)))
    await expect(wrong).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/up to byte 4/) as string,
    })
  }
  expect(await world.run(incoming.take(piece(4, '/1.1\n', 9)))).toEqual({ path })
  expect(await world.run(textAt(world, path))).toBe('WARC/1.1\n')
})

test('two uploads of one name do not mix', async () => {
  const world = seededWorld({ seed: 2 })
  const incoming = await world.run(openIncoming({ world, folder, importing: () => [] }))
  const [one, other] = await world.run(
    Promise.allSettled([incoming.take(piece(0, 'WARC/1.1', 8)), incoming.take(piece(0, 'xxxxxxxx', 8))]),
  )
  expect(one).toMatchObject({ status: 'fulfilled', value: { path } })
  expect(other).toMatchObject({ status: 'rejected', reason: { code: 'inUse' } })
  expect(await world.run(textAt(world, path))).toBe('WARC/1.1')
})

test('after a power failure at any call, an acknowledged file is complete and a partial one absent', async () => {
  const undisturbed = seededWorld({ seed: 3 })
  await undisturbed.run(handOver(undisturbed))
  expect(undisturbed.calls).toBeGreaterThan(5)
  for (let calls = 1; calls <= undisturbed.calls + 1; calls += 1) {
    const world = seededWorld({ seed: 3 })
    const answer = await world.runUntilCut(handOver(world), calls)
    const after = world.crash()
    const wanted = answer?.value ? [answer.value] : []
    await after.run(openIncoming({ world: after, folder, importing: () => wanted }))
    const left = (await after.run(after.disk.stat(folder))) ? await after.run(after.disk.list(folder)) : []
    expect([calls, left.map(({ name }) => name)]).toEqual([calls, answer?.value ? ['a.warc'] : []])
    if (answer?.value) expect(await after.run(textAt(after, path))).toBe('WARC/1.1')
  }
})
