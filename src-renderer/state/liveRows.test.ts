import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { liveRows } from './liveRows.ts'
import { loading, valueOf, type Loaded } from './loaded.ts'

interface Row {
  number: number
  version: number
}

const step = fc.oneof(
  fc.record({ does: fc.constant('change' as const), number: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ does: fc.constant('ask' as const) }),
  fc.record({ does: fc.constant('order' as const), number: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ does: fc.constant('orderAnswered' as const), which: fc.nat() }),
  fc.record({ does: fc.constant('engineAnswers' as const), which: fc.nat() }),
  fc.record({ does: fc.constant('answerArrives' as const), which: fc.nat() }),
)

/** An engine whose rows only advance and that reports each change at once, and a link that reorders replies. */
test('for any order of replies and events no row goes back, and finally all are current', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const live = liveRows<Row>(({ number }) => number)
      const engine = new Map<number, Row>()
      const open: { take: ReturnType<typeof live.ask>; answer?: Row[] }[] = []
      let shown: Loaded<Row[]> = loading
      const orders: ((known: Loaded<Row[]>) => Loaded<Row[]>)[] = []
      const moved = (number: number) => {
        const row = { number, version: (engine.get(number)?.version ?? 0) + 1 }
        engine.set(number, row)
        return row
      }
      const show = (next: Loaded<Row[]> | undefined) => {
        const before = valueOf(shown)
        shown = next ?? shown
        const after = valueOf(shown)
        if (!before || !after) return
        for (const row of before)
          expect(after.find(({ number }) => number === row.number)?.version).toBeGreaterThanOrEqual(row.version)
      }
      const arrive = (at: number) => {
        const [question] = open.splice(at, 1)
        if (question) show(question.take({ is: 'ready', value: question.answer ?? [...engine.values()] }))
      }
      for (const each of steps) {
        if (each.does === 'change') {
          show(live.update(shown, moved(each.number)))
        } else if (each.does === 'order') {
          const take = live.order()
          const row = moved(each.number)
          show(live.update(shown, row))
          orders.push((known) => take(known, row))
        } else if (each.does === 'orderAnswered') {
          const [take] = orders.splice(each.which % Math.max(1, orders.length), 1)
          if (take) show(take(shown))
        } else if (each.does === 'ask') {
          open.push({ take: live.ask() })
        } else if (open.length > 0) {
          const at = each.which % open.length
          const question = open[at]
          if (each.does === 'answerArrives') arrive(at)
          else if (question) question.answer ??= [...engine.values()]
        }
      }
      open.push({ take: live.ask() })
      while (open.length > 0) arrive(0)
      expect(shown).toEqual({
        is: 'ready',
        value: [...engine.values()].toSorted((one, other) => other.number - one.number),
      })
    }),
  )
})

test('an event before the list is loaded, or after it was refused, does not create a list of one row', () => {
  const live = liveRows<Row>(({ number }) => number)
  const take = live.ask()
  expect(live.update(loading, { number: 7, version: 1 })).toBe(loading)
  const refused = { is: 'refused', fault: new Fault('damaged', 'no') } as const
  expect(take(refused)).toBe(refused)
  expect(live.update(refused, { number: 7, version: 2 })).toBe(refused)
})
