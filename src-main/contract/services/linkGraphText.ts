/** A link graph in the formats of programs that draw graphs: hosts are nodes, and the number of links is the weight of a line. */
import type { linkGraphFormats } from '../shapes/choices.ts'
import type { LinkGraph } from './linkGraph.ts'

export type LinkGraphFormat = (typeof linkGraphFormats)[number]

/** Returns the file of a graph. */
export function graphText(graph: LinkGraph, format: LinkGraphFormat): string {
  const idOf = new Map(graph.nodes.map(({ host }, at) => [host, `n${at}`]))
  const lines = format === 'graphml' ? graphMl(graph, idOf) : gexf(graph, idOf)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${lines.join('\n')}\n`
}

/** Returns the name of the file. */
export function graphFileName({ job }: LinkGraph, format: LinkGraphFormat): string {
  return `job-${job}-links.${format}`
}

type Ids = ReadonlyMap<string, string>

/** GraphML (graphml.graphdrawing.org), as Gephi, Cytoscape, yEd and NetworkX read it. */
function graphMl({ job, nodes, edges }: LinkGraph, idOf: Ids): string[] {
  return [
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    '  <key id="label" for="node" attr.name="label" attr.type="string"/>',
    '  <key id="urls" for="node" attr.name="urls" attr.type="long"/>',
    '  <key id="weight" for="edge" attr.name="weight" attr.type="long"/>',
    `  <graph id="job-${job}" edgedefault="directed">`,
    ...nodes.map(
      ({ host, urls }) =>
        `    <node id="${idOf.get(host)}"><data key="label">${escaped(host)}</data><data key="urls">${urls}</data></node>`,
    ),
    ...edges.map(
      ({ source, target, links }, at) =>
        `    <edge id="e${at}" source="${idOf.get(source)}" target="${idOf.get(target)}"><data key="weight">${links}</data></edge>`,
    ),
    '  </graph>',
    '</graphml>',
  ]
}

/** GEXF 1.3 (gexf.net), the format of Gephi. */
function gexf({ nodes, edges }: LinkGraph, idOf: Ids): string[] {
  return [
    '<gexf xmlns="http://gexf.net/1.3" version="1.3">',
    '  <meta><creator>Loupe</creator></meta>',
    '  <graph defaultedgetype="directed">',
    '    <attributes class="node"><attribute id="urls" title="urls" type="long"/></attributes>',
    '    <nodes>',
    ...nodes.map(
      ({ host, urls }) =>
        `      <node id="${idOf.get(host)}" label="${escaped(host)}"><attvalues><attvalue for="urls" value="${urls}"/></attvalues></node>`,
    ),
    '    </nodes>',
    '    <edges>',
    ...edges.map(
      ({ source, target, links }, at) =>
        `      <edge id="e${at}" source="${idOf.get(source)}" target="${idOf.get(target)}" weight="${links}"/>`,
    ),
    '    </edges>',
    '  </graph>',
    '</gexf>',
  ]
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)
}
