/** A link graph on an ellipse: where each host is drawn, and how wide the lines between them are. Pure. */
import type { LinkGraph } from '../../../src-main/contract/services/linkGraph.ts'

/** Hosts that are drawn: the names of more would overlap. */
export const drawnHostsMax = 20
export const circleWidth = 900

/** Returns the height of a drawing: a few hosts need less room. */
function heightFor(hosts: number): number {
  return Math.min(480, 90 + 36 * hosts)
}

interface DrawnHost {
  host: string
  x: number
  y: number
  /** In points of the drawing. */
  radius: number
  /** Side of the host on which its name is. */
  side: 'start' | 'end'
}

interface DrawnLine {
  from: DrawnHost
  to: DrawnHost
  /** Links in both directions. */
  links: number
  width: number
  /** The line in the language of SVG paths: it bends to the middle. */
  path: string
}

/** Returns the hosts with the most links to and from others, the lines between them, and the height of the drawing. Links of a host to itself are not drawn. */
export function linkCircle({ nodes, edges }: LinkGraph): {
  hosts: DrawnHost[]
  lines: DrawnLine[]
  height: number
} {
  const between = edges.filter(({ source, target }) => source !== target)
  const linksOf = new Map<string, number>()
  for (const { source, target, links } of between)
    for (const host of [source, target]) linksOf.set(host, (linksOf.get(host) ?? 0) + links)
  const chosen = nodes
    .filter(({ host }) => linksOf.has(host))
    .toSorted((one, other) => (linksOf.get(other.host) ?? 0) - (linksOf.get(one.host) ?? 0))
    .slice(0, drawnHostsMax)
  const height = heightFor(chosen.length)
  const mostUrls = Math.max(1, ...chosen.map(({ urls }) => urls))
  const hosts = chosen.map(({ host, urls }, at) =>
    placed(host, at / chosen.length, { height, share: Math.sqrt(urls / mostUrls) }),
  )
  const hostNamed = new Map(hosts.map((each) => [each.host, each]))
  const sums = new Map<string, Omit<DrawnLine, 'width' | 'path'>>()
  for (const { source, target, links } of between) {
    const [from, to] = [source, target].toSorted().map((host) => hostNamed.get(host))
    if (!from || !to) continue
    const pair = `${from.host} ${to.host}`
    sums.set(pair, { from, to, links: links + (sums.get(pair)?.links ?? 0) })
  }
  const most = Math.max(1, ...[...sums.values()].map(({ links }) => links))
  const lines = [...sums.values()].map((line) => ({
    ...line,
    width: 1 + 7 * Math.sqrt(line.links / most),
    path: ['M', line.from.x, line.from.y, 'Q', circleWidth / 2, height / 2, line.to.x, line.to.y].join(' '),
  }))
  return { hosts, lines, height }
}

/** The first host is on the left; the others follow clockwise. `share`: of the largest radius. */
function placed(host: string, turn: number, { height, share }: { height: number; share: number }): DrawnHost {
  const angle = 2 * Math.PI * (turn - 0.5)
  const [x, y] = [Math.cos(angle), Math.sin(angle)]
  return {
    ...{ host, radius: 4 + 10 * share, side: x < -0.01 ? 'end' : 'start' },
    x: Math.round(circleWidth / 2 + 240 * x),
    y: Math.round(height / 2 + (height / 2 - 24) * y),
  }
}
