import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DeliveryStepFacts } from '../../../src-main/contract/services/deliveries.ts'
import { pathOf, planLayout, type PlanLayout } from './planLayout.ts'

const step = (name: string, after: string[], router: DeliveryStepFacts['router'] = null): DeliveryStepFacts => ({
  ...{ name, after, router, kind: 'k', role: 'processor', effect: 'safe', isMutating: false, guarantee: null },
})

/** Plans whose steps come after any of the steps before them. */
const plans = fc
  .array(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 20 })
  .map((befores) => {
    const edges = befores.map((before, at) => [...new Set(before.map((each) => `n${each % (at + 1)}`))])
    const followers = (name: string) => edges.filter((after) => after.includes(name)).length
    return [[], ...edges].map((after, at) => step(`n${at}`, after, followers(`n${at}`) > 1 ? { kind: 'all' } : null))
  })

const boxesOf = ({ steps, routers }: PlanLayout) => [...steps, ...routers]

test('shapes do not overlap, are inside of the drawing, and each step is below those before it', () => {
  fc.assert(
    fc.property(plans, (steps) => {
      const drawn = planLayout(steps)
      const boxes = boxesOf(drawn)
      for (const [at, one] of boxes.entries()) {
        expect(one.x - one.width / 2).toBeGreaterThanOrEqual(0)
        expect(one.x + one.width / 2).toBeLessThanOrEqual(drawn.width)
        expect(one.y + one.height / 2).toBeLessThanOrEqual(drawn.height)
        for (const other of boxes.slice(at + 1)) {
          const isApart =
            Math.abs(one.x - other.x) >= (one.width + other.width) / 2 ||
            Math.abs(one.y - other.y) >= (one.height + other.height) / 2
          expect(isApart).toBe(true)
        }
      }
      const topOf = (name: string) => drawn.steps.find((placed) => placed.step.name === name)?.y ?? NaN
      for (const { name, after } of steps)
        for (const before of after) expect(topOf(name)).toBeGreaterThan(topOf(before))
    }),
  )
})

test('a router is drawn after its step, and the lines to the next steps have places for numbers', () => {
  const drawn = planLayout([step('s', [], { kind: 'all' }), step('d', ['s']), step('e', ['s'])])
  expect(drawn.routers).toMatchObject([{ step: { name: 's' }, kind: 'all' }])
  expect(drawn.lines.map(({ from, to, label }) => [from, to, label !== null])).toEqual([
    ['s', 'd', true],
    ['s', 'e', true],
    ['s', null, false],
  ])
  expect(drawn.lines.every(({ points }) => points.length > 1)).toBe(true)
})

test('a line is smooth and ends at its last point', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 0, y: 10 },
    { x: 10, y: 20 },
  ]
  expect(pathOf(points)).toBe('M0,0Q0,10,5,15L10,20')
})
