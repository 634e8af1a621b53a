/** A real HTTP server on loopback that speaks Solr's JSON update and OpenSearch's `_bulk`, and takes webhooks. It keeps what it was sent, and
 *  shows it after a commit or refresh. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SearchServer {
  url: string
  /** Number of times that each document was accepted, by its id. */
  accepted: Map<string, number>
  /** Number of times that each document was removed, by its id. */
  removed: Map<string, number>
  /** What it holds: id → the document as it was sent last. */
  held: Map<string, unknown>
  /** Ids of the documents that were held when it was last committed or refreshed. */
  visible: Set<string>
  /** Commits and refreshes. */
  commits: number
  requests: number
  close(): Promise<void>
}

interface Manner {
  /** Documents that are refused. */
  isBad?: (id: string) => boolean
  /** The server answers after this time. */
  delayMs?: number
  /** It answers with this status, whatever it gets; undefined: as it should. */
  status?: () => number | undefined
  /** Solr names bad documents one by one. */
  isTolerant?: boolean
}

export async function searchServer({
  isBad = () => false,
  delayMs = 0,
  status,
  isTolerant = false,
}: Manner = {}): Promise<SearchServer> {
  const accepted = new Map<string, number>()
  const removed = new Map<string, number>()
  const held = new Map<string, unknown>()
  const counted = { requests: 0, commits: 0, visible: new Set<string>() }
  const addOne = (to: Map<string, number>, id: string) => void to.set(id, (to.get(id) ?? 0) + 1)
  function accept(documents: readonly { id: string }[]): void {
    for (const document of documents) {
      addOne(accepted, document.id)
      held.set(document.id, document)
    }
  }
  function remove(id: string): boolean {
    addOne(removed, id)
    return held.delete(id)
  }
  function commit(): { status: number; json: unknown } {
    counted.commits += 1
    counted.visible = new Set(held.keys())
    return { status: 200, json: { responseHeader: { status: 0 } } }
  }

  function answer(method: string, path: string, body: string): { status: number; json: unknown } {
    const is = status?.()
    if (is !== undefined) return { status: is, json: { error: 'as asked' } }
    if (path.startsWith('/_bulk')) return bulk(body)
    if (path.endsWith('/_refresh') || path.includes('commit=true')) return commit()
    if (path.includes('/update')) return update(body)
    if (method === 'DELETE')
      return { status: remove(new URL(path, 'http://a').searchParams.get('id') ?? '') ? 200 : 404, json: {} }
    if (method !== 'POST') return { status: 200, json: {} }
    const document = JSON.parse(body) as { id: string }
    if (isBad(document.id)) return { status: 400, json: {} }
    accept([document])
    return { status: 200, json: {} }
  }

  /** Names of commands repeat, which JSON.parse does not keep. */
  function commandsIn(body: string): { documents: { id: string }[]; ids: string[] } {
    if (body.startsWith('[')) return { documents: JSON.parse(body) as { id: string }[], ids: [] }
    const numbered = body.replaceAll(
      /([{,])"(add|delete)":(?=[{[])/g,
      (_, before, name, at) => `${before}"${name}${at}":`,
    )
    const commands = Object.entries(JSON.parse(numbered) as Record<string, unknown>)
    return {
      documents: commands.flatMap(([, given]) =>
        Array.isArray(given) ? [] : [(given as { doc: { id: string } }).doc],
      ),
      ids: commands.flatMap(([, given]) => (Array.isArray(given) ? (given as string[]) : [])),
    }
  }

  function update(body: string) {
    const { documents, ids: removals } = commandsIn(body)
    const ids = documents.map(({ id }) => id)
    const bad = ids.filter(isBad)
    if (bad.length > 0 && !isTolerant)
      return {
        status: 400,
        json: { responseHeader: { status: 400 }, error: { msg: `ERROR: [doc=${bad[0]}]`, code: 400 } },
      }
    accept(documents.filter(({ id }) => !isBad(id)))
    for (const id of removals) remove(id)
    const errors = bad.map((id) => ({ type: 'ADD', id, message: 'bad document' }))
    return { status: 200, json: { responseHeader: { status: 0, ...(isTolerant && { errors }) } } }
  }

  function bulk(body: string) {
    const lines = body.trimEnd().split('\n')
    const items: unknown[] = []
    for (let at = 0; at < lines.length; at += 1) {
      const action = JSON.parse(lines[at] ?? '') as Partial<Record<'index' | 'delete', { _id: string }>>
      if (action.delete) {
        const { _id } = action.delete
        items.push({ delete: { _id, status: remove(_id) ? 200 : 404 } })
        continue
      }
      at += 1
      items.push({ index: indexed(action.index?._id ?? '', lines[at] ?? '') })
    }
    return { status: 200, json: { took: 1, errors: JSON.stringify(items).includes('"error"'), items } }
  }

  function indexed(_id: string, source: string) {
    if (isBad(_id)) return { _id, status: 400, error: { type: 'mapper_parsing_exception', reason: 'failed to parse' } }
    accept([{ ...(JSON.parse(source) as object), id: _id }])
    return { _id, status: 201, result: 'created' }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      counted.requests += 1
      const { status: code, json } = answer(request.method ?? '', request.url ?? '', Buffer.concat(chunks).toString())
      setTimeout(() => {
        response.writeHead(code, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify(json))
      }, delayMs).unref()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ accepted, removed, held },
    get visible() {
      return counted.visible
    },
    get commits() {
      return counted.commits
    },
    get requests() {
      return counted.requests
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
