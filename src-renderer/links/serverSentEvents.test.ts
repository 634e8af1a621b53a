import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventReader } from './serverSentEvents.ts'

const whole =
  ': hello\n\nevent: jobs.changed\r\ndata: {"job":1}\r\n\r\ndata:a\rdata: b\r\revent: only\n\nid: 7\ndata\n\n'
const events = [
  { event: 'jobs.changed', data: '{"job":1}' },
  { event: 'message', data: 'a\nb' },
  { event: 'message', data: '' },
]

test('fields, comments and every kind of line end', () => {
  expect(eventReader()(whole)).toEqual(events)
})

test('cut anywhere, the same events come out', () => {
  const cuts = fc
    .array(fc.nat(whole.length), { maxLength: 12 })
    .map((places) => [...places, 0, whole.length].toSorted((a, b) => a - b))
  fc.assert(
    fc.property(cuts, (places) => {
      const read = eventReader()
      const out = places.flatMap((from, index) => read(whole.slice(from, places[index + 1] ?? whole.length)))
      expect(out).toEqual(events)
    }),
  )
})

test('fed one character at a time', () => {
  const read = eventReader()
  expect([...whole].flatMap((character) => read(character))).toEqual(events)
})
