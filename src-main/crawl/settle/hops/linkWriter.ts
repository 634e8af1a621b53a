/** Writes the links of sources into the link graph, and starts the work that follows for the distances. */
import { type hopStatements, type MeasureStatements, type StoredLinkType } from './hops.sql.ts'

/** The `url_key` of a document. */
export type Key = Uint8Array

/** A link of a source. */
export interface Link {
  target: Key
  type: StoredLinkType
}

/** The link graph of one job, as the parts of `hops.ts` use it. */
export interface LinkGraph {
  sql: ReturnType<typeof hopStatements>
  job: number
  measured: readonly MeasureStatements[]
  /** Links that a source no longer has are deleted. */
  isAccurate: boolean
}

/** Returns the node of a URL, which is added if it is new. */
export function nodeOf({ sql, job }: Pick<LinkGraph, 'sql' | 'job'>, key: Key): number {
  const node = sql.node.get({ job, key }) ?? sql.addNode.get({ job, key })
  if (!node) throw new Error('no row for a node of the hop counts')
  return node.id
}

/** Replaces the links of a source. `stays` selects the types of links that are kept even if the source no longer has them. */
export function replaceLinks(
  graph: LinkGraph,
  source: number,
  links: readonly Link[],
  stays: (type: StoredLinkType) => boolean,
): void {
  const { sql, job, measured, isAccurate } = graph
  const known = new Map(sql.linksOf.all({ node: source }).map((link) => [`${link.target} ${link.type}`, link]))
  const vanished = new Map(known)
  let hasNew = false
  for (const { target, type } of links) {
    const to = nodeOf(graph, target)
    const name = `${to} ${type}`
    vanished.delete(name)
    if (to === source || known.has(name)) continue
    known.set(name, { target: to, type })
    sql.addLink.run({ source, target: to, type })
    hasNew = true
  }
  if (isAccurate) {
    for (const { target, type } of vanished.values()) {
      if (stays(type)) continue
      sql.dropLink.run({ source, target, type })
      sql.cutOff.run({ source, target, type })
    }
  }
  if (hasNew) for (const { propagate } of measured) propagate({ node: source, job })
}
