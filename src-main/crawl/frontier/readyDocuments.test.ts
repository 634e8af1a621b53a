import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unlimited } from '../../contract/shapes/throttle.ts'
import { readyDocuments, type ReadyDocument } from './readyDocuments.ts'
import type { JobSlot, Server } from './servers.ts'
import { slotFixture } from './testing/frontierFixture.ts'

function serverNamed(name: string): Server {
  const times = { inFlight: 0, readyMs: -Infinity, endedMs: -Infinity }
  return { name, ...times, limits: unlimited, slots: new Map(), bandwidth: undefined }
}

function readyOf(id: number, server: Server, slot: JobSlot, role: 'page' | 'robots' = 'page'): ReadyDocument {
  const turn = { id: 1, origin: `http://${server.name}`, slot, server, robots: { kind: 'all' } }
  return { turn, document: { id, role } } as unknown as ReadyDocument
}

const idsOf = (ready: readonly ReadyDocument[]) => ready.map(({ document }) => document.id)

test('robots.txt comes before the other documents of its host', () => {
  const [server, slot] = [serverNamed('a.test'), slotFixture(1)]
  const documents = readyDocuments()
  documents.put(readyOf(1, server, slot))
  documents.put(readyOf(2, server, slot))
  documents.put(readyOf(3, server, slot, 'robots'))
  expect(idsOf(documents.of(server))).toEqual([3, 1, 2])
})

test('a host that was served is served last', () => {
  const [a, b, slot] = [serverNamed('a.test'), serverNamed('b.test'), slotFixture(1)]
  const documents = readyDocuments()
  for (const [id, server] of [a, a, b].entries()) documents.put(readyOf(id, server, slot))
  expect(documents.take(a, 0)?.document.id).toBe(0)
  expect(Array.from(documents.hosts(), ([{ name }]) => name)).toEqual(['b.test', 'a.test'])
})

test('a host counts a document until its turn ends or it is removed', () => {
  const [server, slot] = [serverNamed('a.test'), slotFixture(1)]
  const documents = readyDocuments()
  documents.put(readyOf(1, server, slot))
  documents.put(readyOf(2, server, slot))
  const taken = documents.take(server, 0)
  expect(documents.count).toBe(1)
  expect(server.slots.get(slot)).toBe(2)
  expect(idsOf(documents.remove(server, () => true))).toEqual([2])
  expect(server.slots.get(slot)).toBe(1)
  if (taken) documents.leave(taken.turn)
  expect(server.slots.has(slot)).toBe(false)
})

test('the counts are those of the documents, whatever was put, taken and removed', () => {
  const servers = ['a.test', 'b.test'].map(serverNamed)
  const slots = [1, 2].map((job) => slotFixture(job))
  const step = fc.record({ act: fc.constantFrom('put', 'take', 'remove'), server: fc.nat(1), slot: fc.nat(1) })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const documents = readyDocuments()
      for (const [id, { act, server: at, slot: of }] of steps.entries()) {
        const [server, slot] = [servers[at], slots[of]]
        if (!server || !slot) continue
        if (act === 'put') documents.put(readyOf(id, server, slot))
        else if (act === 'take') documents.take(server, 0)
        else documents.remove(server, ({ turn }) => turn.slot === slot)
        const all = Array.from(documents.hosts(), ([, ready]) => ready).flat()
        expect(documents.count).toBe(all.length)
        for (const one of slots) expect(documents.countOf(one)).toBe(all.filter(({ turn }) => turn.slot === one).length)
      }
    }),
    { numRuns: 100 },
  )
})
