import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventReader } from './eventReader.ts'

function read(chunks: string[]): [string, string][] {
  const found: [string, string][] = []
  const take = eventReader((name, data) => found.push([name, data]))
  chunks.forEach(take)
  return found
}

const stream = ': listening\n\nevent: jobs.changed\ndata: {"job":1}\n\n: alive\n\nevent: a.b\ndata: "x: y"\n\n'

test('whole', () => {
  expect(read([stream])).toEqual([
    ['jobs.changed', '{"job":1}'],
    ['a.b', '"x: y"'],
  ])
})

test('one character at a time', () => {
  expect(read([...stream])).toEqual(read([stream]))
})

test('an unfinished event is not told', () => {
  expect(read(['event: a.b\ndata: 1\n'])).toEqual([])
})

test('any payload, cut anywhere', () => {
  fc.assert(
    fc.property(fc.array(fc.json(), { maxLength: 5 }), fc.nat(), (payloads, seed) => {
      const text = payloads.map((payload) => `event: a.b\ndata: ${JSON.stringify(JSON.parse(payload))}\n\n`).join('')
      const cut = text.length === 0 ? 0 : seed % text.length
      expect(read([text.slice(0, cut), text.slice(cut)]).map(([, data]) => JSON.parse(data) as unknown)).toEqual(
        payloads.map((payload) => JSON.parse(payload) as unknown),
      )
    }),
  )
})
