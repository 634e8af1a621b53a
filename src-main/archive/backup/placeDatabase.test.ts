import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { seededWorld } from '../../world/testing/seeded.ts'
import type { Disk } from '../../world/world.ts'
import { asideEnding, finishPlacing, placeDatabase, preparedPath } from './placeDatabase.ts'

const folder = '/archive'
const present = { 'loupe.db': 'old', 'loupe.db-wal': 'old journal', 'loupe.db-shm': 'x', 'loupe.audit': 'entry 7' }
const nowMs = Date.UTC(2026, 0, 1)
const ending = 'before-restore-20260101T000000Z'

async function lies(disk: Disk): Promise<Record<string, string>> {
  const entries = await disk.list(folder)
  const texts = await Promise.all(
    entries.map(async ({ name }) => [name, Buffer.from(await disk.read(`${folder}/${name}`, 100)).toString()]),
  )
  return Object.fromEntries(texts) as Record<string, string>
}

async function write(disk: Disk, files: Record<string, string>): Promise<void> {
  await disk.makeFolder(folder)
  for (const [name, text] of Object.entries(files)) await disk.write(`${folder}/${name}`, Buffer.from(text))
}

const after = {
  'loupe.db': 'new',
  [`loupe.db.${ending}`]: 'old',
  [`loupe.db.${ending}-wal`]: 'old journal',
  [`loupe.db.${ending}-shm`]: 'x',
  [`loupe.audit.${ending}`]: 'entry 7',
}

test('the present database is moved aside with all its files', async () => {
  const world = seededWorld({ seed: 1 })
  const { disk } = world
  await world.run(write(disk, present))
  await world.run(disk.write(preparedPath(folder), Buffer.from('new')))
  expect(await world.run(asideEnding(disk, folder, nowMs))).toBe(ending)
  await world.run(placeDatabase(disk, folder, ending))
  expect(await world.run(lies(disk))).toEqual(after)
  // A second one in the same second keeps the first.
  expect(await world.run(asideEnding(disk, folder, nowMs))).toBe(`${ending}-2`)
})

test('without a present database the restored one is put in place', async () => {
  const world = seededWorld({ seed: 1 })
  await world.run(write(world.disk, { 'loupe.db-restoring': 'new' }))
  await world.run(placeDatabase(world.disk, folder, ending))
  expect(await world.run(lies(world.disk))).toEqual({ 'loupe.db': 'new' })
})

test('a start without an interrupted restore changes nothing', async () => {
  const world = seededWorld({ seed: 1 })
  await world.run(write(world.disk, present))
  await world.run(finishPlacing(world.disk, folder))
  expect(await world.run(lies(world.disk))).toEqual(present)
})

test('a note of another program stops the start', async () => {
  const world = seededWorld({ seed: 1 })
  await world.run(write(world.disk, { ...present, 'loupe.restore': '../../etc' }))
  await expect(world.run(finishPlacing(world.disk, folder))).rejects.toThrow(/^\/archive\/loupe\.restore does not say/)
})

test('power failure at any call, also of the next start: everything is as before, or done', async () => {
  const ends = new Set<string>()
  for (let at = 1, isOver = false; !isOver; at += 1) {
    for (let then = 1, isThenOver = false; !isThenOver; then += 1) {
      const world = seededWorld({ seed: at * 1_000 + then })
      await world.run(write(world.disk, { ...present, 'loupe.db-restoring': 'new' }))
      isOver = (await world.runUntilCut(placeDatabase(world.disk, folder, ending), at)) !== undefined
      const next = world.crash()
      isThenOver = (await next.runUntilCut(finishPlacing(next.disk, folder), then)) !== undefined
      const last = next.crash()
      await last.run(finishPlacing(last.disk, folder))
      const { 'loupe.db-restoring': prepared, '.loupe.restore.0.part': _, ...files } = await last.run(lies(last.disk))
      const isAsBefore = isDeepStrictEqual(files, present)
      if (isAsBefore) expect(prepared).toBe('new')
      else expect({ ...files, at, then }).toEqual({ ...after, at, then })
      ends.add(isAsBefore ? 'as before' : 'done')
    }
  }
  expect([...ends].toSorted()).toEqual(['as before', 'done'])
})
