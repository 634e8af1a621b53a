/** Where the steps and lines of a plan are drawn. A step with a router is followed by the shape of the router, from which the lines to the
 *  next steps start. Pure. */
import { graphlib, layout } from '@dagrejs/dagre'
import type { DeliveryStepFacts } from '../../../src-main/contract/services/deliveries.ts'

export interface Point {
  x: number
  y: number
}

/** A shape with its middle and size, in pixels. */
interface Box extends Point {
  width: number
  height: number
}

export interface PlacedStep extends Box {
  step: DeliveryStepFacts
}

export interface PlacedRouter extends Box {
  /** Step that it belongs to. */
  step: DeliveryStepFacts
  kind: NonNullable<DeliveryStepFacts['router']>['kind']
}

export interface PlacedLine {
  from: string
  /** Null: it leads to the router of the step. */
  to: string | null
  points: Point[]
  /** Middle of the place for its number and condition; null: it has none. */
  label: Point | null
}

export interface PlanLayout {
  width: number
  height: number
  steps: PlacedStep[]
  routers: PlacedRouter[]
  lines: PlacedLine[]
}

const stepSize = { width: 216, height: 92 }
const routerSize = { width: 124, height: 56 }
/** Place for a number and a condition above it. */
export const labelSize = { width: 112, height: 36 }

/** Names of steps have no spaces. */
const routerOf = (name: string) => `${name} router`

/** Lays out the steps of a plan without faults, from top to bottom. */
export function planLayout(steps: readonly DeliveryStepFacts[]): PlanLayout {
  const graph = new graphlib.Graph({ multigraph: false })
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 26, edgesep: 16, marginx: 8, marginy: 8 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { name, router } of steps) {
    graph.setNode(name, { ...stepSize })
    if (!router) continue
    graph.setNode(routerOf(name), { ...routerSize })
    graph.setEdge(name, routerOf(name), {})
  }
  const lines = linesOf(steps)
  for (const { from, to } of lines) graph.setEdge(startOf(from), to, { ...labelSize, labelpos: 'c' })
  layout(graph)
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  return {
    ...{ width, height },
    steps: steps.map((step) => ({ step, ...boxOf(graph, step.name) })),
    routers: steps.flatMap((step) =>
      step.router ? [{ step, kind: step.router.kind, ...boxOf(graph, routerOf(step.name)) }] : [],
    ),
    lines: [
      ...lines.map(({ from, to }) => lineOf(graph, { from, to, source: startOf(from), target: to })),
      ...steps.flatMap(({ name, router }) =>
        router ? [lineOf(graph, { from: name, to: null, source: name, target: routerOf(name) })] : [],
      ),
    ],
  }

  function startOf(name: string): string {
    return steps.some((step) => step.name === name && step.router) ? routerOf(name) : name
  }
}

function linesOf(steps: readonly DeliveryStepFacts[]): { from: string; to: string }[] {
  return steps.flatMap(({ name: to, after }) => after.map((from) => ({ from, to })))
}

function boxOf(graph: graphlib.Graph, name: string): Box {
  const { x, y, width, height } = graph.node(name) as Box
  return { x, y, width, height }
}

function lineOf(
  graph: graphlib.Graph,
  { from, to, source, target }: { from: string; to: string | null; source: string; target: string },
): PlacedLine {
  const { points, x, y } = graph.edge(source, target) as { points: Point[]; x?: number; y?: number }
  // The layout ends lines at rectangles. The shapes have other sides, but each has a point at its top and its bottom.
  const [above, below] = [boxOf(graph, source), boxOf(graph, target)]
  const ends = [
    { x: above.x, y: above.y + above.height / 2 },
    { x: below.x, y: below.y - below.height / 2 },
  ] as const
  return {
    from,
    to,
    points: [ends[0], ...points.slice(1, -1), ends[1]],
    label: to === null || x === undefined || y === undefined ? null : { x, y },
  }
}

/** Returns the SVG path of a line: smooth at each of its points. */
export function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points
  if (!first) return ''
  const middle = (one: Point, other: Point) => `${(one.x + other.x) / 2},${(one.y + other.y) / 2}`
  const curves = rest.map((point, at) => {
    const next = rest[at + 1]
    return next ? `Q${point.x},${point.y},${middle(point, next)}` : `L${point.x},${point.y}`
  })
  return `M${first.x},${first.y}${curves.join('')}`
}
