import { expect, test } from 'vitest'
import { circleWidth, drawnHostsMax, linkCircle } from './linkCircle.ts'

const graph = (...edges: [source: string, target: string, links: number][]) => ({
  ...{ job: 1, links: 'all' as const, edgesLeftOut: 0 },
  nodes: [...new Set(edges.flatMap(([source, target]) => [source, target]))].map((host, at) => ({
    host,
    urls: at + 1,
  })),
  edges: edges.map(([source, target, links]) => ({ source, target, links })),
})

test('links in both directions are one line, and those of a host to itself none', () => {
  const { hosts, lines } = linkCircle(graph(['a', 'b', 3], ['b', 'a', 4], ['a', 'a', 99], ['b', 'c', 1]))
  expect(hosts.map(({ host }) => host)).toEqual(['b', 'a', 'c'])
  expect(lines.map(({ from, to, links }) => [from.host, to.host, links])).toEqual([
    ['a', 'b', 7],
    ['b', 'c', 1],
  ])
  const [wide, narrow] = lines.map(({ width }) => width)
  expect(wide).toBe(8)
  expect(narrow).toBeLessThan(4)
})

test('of many hosts those with the most links are drawn, each at a place of its own', () => {
  const many = Array.from({ length: 50 }, (_, at): [string, string, number] => ['hub', `host${at}`, at + 1])
  const { hosts, lines, height } = linkCircle(graph(...many))
  expect(hosts).toHaveLength(drawnHostsMax)
  expect(hosts[0]?.host).toBe('hub')
  expect(hosts.some(({ host }) => host === 'host0')).toBe(false)
  expect(lines).toHaveLength(drawnHostsMax - 1)
  expect(new Set(hosts.map(({ x, y }) => `${x} ${y}`)).size).toBe(drawnHostsMax)
  for (const { x, y } of hosts) expect(x > 0 && x < circleWidth && y > 0 && y < height).toBe(true)
})
