import { expect, test } from 'vitest'
import { arrived, neighbour, noHistory, type Step } from './tabHistory.ts'

const a = 'http://a.example/'
const b = 'http://b.example/'
const c = 'http://c.example/'

test.each<{ story: string; steps: [string, Step][]; addresses: string[]; at: number }>([
  { story: 'no page', steps: [], addresses: [], at: -1 },
  {
    story: 'two pages',
    steps: [
      [a, 'open'],
      [b, 'open'],
    ],
    addresses: [a, b],
    at: 1,
  },
  {
    story: 'the same page does not add a step',
    steps: [
      [a, 'open'],
      [a, 'open'],
    ],
    addresses: [a],
    at: 0,
  },
  {
    story: 'back',
    steps: [
      [a, 'open'],
      [b, 'open'],
      [a, 'back'],
    ],
    addresses: [a, b],
    at: 0,
  },
  {
    story: 'opening a page after going back removes the forward steps',
    steps: [
      [a, 'open'],
      [b, 'open'],
      [a, 'back'],
      [c, 'open'],
    ],
    addresses: [a, c],
    at: 1,
  },
  {
    story: 'back and forward',
    steps: [
      [a, 'open'],
      [b, 'open'],
      [a, 'back'],
      [b, 'forward'],
    ],
    addresses: [a, b],
    at: 1,
  },
  {
    story: 'a reload that redirects updates the current URL',
    steps: [
      [a, 'open'],
      [b, 'reload'],
    ],
    addresses: [b],
    at: 0,
  },
])('$story', ({ steps, addresses, at }) => {
  const history = steps.reduce((before, [address, step]) => arrived(before, address, step), noHistory)
  expect(history).toEqual({ addresses, at })
  expect(neighbour(history, 'back')).toBe(addresses[at - 1])
  expect(neighbour(history, 'forward')).toBe(addresses[at + 1])
})
