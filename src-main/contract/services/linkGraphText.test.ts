import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import { linkGraphFormats } from '../shapes/choices.ts'
import type { LinkGraph } from './linkGraph.ts'
import { graphFileName, graphText } from './linkGraphText.ts'

const graph: LinkGraph = {
  ...{ job: 3, links: 'all', edgesLeftOut: 0 },
  nodes: [
    { host: 'a.test', urls: 5 },
    { host: 'b<&">.test:8080', urls: 1 },
  ],
  edges: [
    { source: 'a.test', target: 'b<&">.test:8080', links: 7 },
    { source: 'a.test', target: 'a.test', links: 4 },
  ],
}

interface Element {
  name: string
  attributes: Record<string, string>
  text: string
}

function elementsOf(xml: string): Element[] {
  const open: Element[] = []
  const all: Element[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = { name, attributes, text: '' }
        open.push(element)
        all.push(element)
      },
      ontext: (text) => open.forEach((element) => (element.text += text)),
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return all
}

test.each(linkGraphFormats)('every element of %s is closed, in order', (format) => {
  const open: string[] = []
  for (const [, end, name = '', closed] of graphText(graph, format).matchAll(/<(\/?)(\w+)[^<>]*?(\/?)>/g)) {
    if (end) expect(open.pop()).toBe(name)
    else if (!closed) open.push(name)
  }
  expect(open).toEqual([])
})

test('GraphML has the hosts, their URLs, and the links as weights', () => {
  const elements = elementsOf(graphText(graph, 'graphml'))
  expect(elements[0]?.attributes['xmlns']).toBe('http://graphml.graphdrawing.org/xmlns')
  expect(elements.filter(({ name }) => name === 'node').map(({ attributes: { id }, text }) => [id, text])).toEqual([
    ['n0', 'a.test5'],
    ['n1', 'b<&">.test:80801'],
  ])
  const edges = elements.filter(({ name }) => name === 'edge')
  expect(edges.map(({ attributes: { source, target }, text }) => [source, target, text])).toEqual([
    ['n0', 'n1', '7'],
    ['n0', 'n0', '4'],
  ])
})

test('GEXF has the same', () => {
  const elements = elementsOf(graphText(graph, 'gexf'))
  expect(elements.filter(({ name }) => name === 'node').map(({ attributes }) => attributes['label'])).toEqual([
    'a.test',
    'b<&">.test:8080',
  ])
  expect(elements.filter(({ name }) => name === 'attvalue').map(({ attributes }) => attributes['value'])).toEqual([
    '5',
    '1',
  ])
  const edges = elements.filter(({ name }) => name === 'edge').map(({ attributes }) => attributes)
  expect(edges).toEqual([
    { id: 'e0', source: 'n0', target: 'n1', weight: '7' },
    { id: 'e1', source: 'n0', target: 'n0', weight: '4' },
  ])
})

test.each(linkGraphFormats)('a file of %s is named after its job', (format) =>
  expect(graphFileName(graph, format)).toBe(`job-3-links.${format}`),
)
