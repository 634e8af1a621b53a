/** A real HTTP server on loopback that speaks Solr's JSON update and OpenSearch's `_bulk`, and takes webhooks. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SearchServer {
  url: string
  /** Number of times that each document was accepted, by its id. */
  accepted: Map<string, number>
  requests: number
  close(): Promise<void>
}

interface Manner {
  /** Documents that are refused. */
  isBad?: (id: string) => boolean
  /** The server answers after this time. */
  delayMs?: number
  /** It answers with this status, whatever it gets. */
  status?: number
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
  const counted = { requests: 0 }
  const accept = (ids: readonly string[]) => ids.forEach((id) => void accepted.set(id, (accepted.get(id) ?? 0) + 1))

  function answer(path: string, body: string): { status: number; json: unknown } {
    if (status !== undefined) return { status, json: { error: 'as asked' } }
    if (path.startsWith('/_bulk')) return bulk(body)
    if (path.includes('/update')) return update(JSON.parse(body) as { id: string }[])
    const { id } = JSON.parse(body) as { id: string }
    if (isBad(id)) return { status: 400, json: {} }
    accept([id])
    return { status: 200, json: {} }
  }

  function update(documents: readonly { id: string }[]) {
    const ids = documents.map(({ id }) => id)
    const bad = ids.filter(isBad)
    if (bad.length > 0 && !isTolerant)
      return {
        status: 400,
        json: { responseHeader: { status: 400 }, error: { msg: `ERROR: [doc=${bad[0]}]`, code: 400 } },
      }
    accept(ids.filter((id) => !isBad(id)))
    const errors = bad.map((id) => ({ type: 'ADD', id, message: 'bad document' }))
    return { status: 200, json: { responseHeader: { status: 0, ...(isTolerant && { errors }) } } }
  }

  function bulk(body: string) {
    const lines = body.trimEnd().split('\n')
    const actions = lines.filter((_, at) => at % 2 === 0).map((line) => JSON.parse(line) as { index: { _id: string } })
    const items = actions.map(({ index: { _id } }) => {
      if (isBad(_id))
        return { index: { _id, status: 400, error: { type: 'mapper_parsing_exception', reason: 'failed to parse' } } }
      accept([_id])
      return { index: { _id, status: 201, result: 'created' } }
    })
    return { status: 200, json: { took: 1, errors: items.some(({ index }) => index.status >= 400), items } }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      counted.requests += 1
      const { status: code, json } = answer(request.url ?? '', Buffer.concat(chunks).toString())
      setTimeout(() => {
        response.writeHead(code, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify(json))
      }, delayMs).unref()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted,
    get requests() {
      return counted.requests
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
