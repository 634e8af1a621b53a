/** A viewer over the archive of a test, a client that sends plain HTTP requests to its proxy, and replies for a resolver. */
import { sightOfEverything } from '../../access/access.ts'
import { operatorCaller } from '../../contract/calls/caller.ts'
import type { OnProblem } from '../model/onProblem.ts'
import { plainReply, type Reply } from '../model/reply.ts'
import { message } from '../../contract/words/message.ts'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openIndexes } from '../../indexes/indexes.ts'
import type { ArchiveFixture } from '../../indexes/testing/archiveFixture.ts'
import { openViewer, type Viewer, type ViewerParts } from '../viewer.ts'

/** Whose requests those without credentials are. */
export const operator = operatorCaller('curator', 'window')

/** Opens a viewer. `parts` replaces the defaults: no access rules, and no captures in other jobs. Closing it closes its indexes. */
export async function viewerOver(
  { world, store, archive, folder, tasks }: ArchiveFixture,
  parts: Partial<ViewerParts> = {},
): Promise<Viewer> {
  const indexes = parts.indexes ?? (await openIndexes({ folder: join(folder, 'indexes'), world, archive, tasks }))
  const viewer = await openViewer({
    ...{ store, world, operator, archive, folder, port: 0, allowedOrigins: [], accessRules: () => [] },
    recordCacheBytesMax: () => 1_000_000,
    sightFor: async () => sightOfEverything,
    isRefusalSaid: () => false,
    needsCredentials: false,
    otherCaptures: () => ({ captures: [], notSearched: [] }),
    overlaysOver: () => [],
    missing: { add: async () => undefined, harvest: async () => ({ job: 1, patches: 1 }) },
    onProblem: () => undefined,
    ...parts,
    indexes,
  })
  return {
    ...viewer,
    async close() {
      await viewer.close()
      await indexes.close()
    },
  }
}

/** Returns a reply with this text. */
export function saying(text: string): Reply {
  return plainReply(200, message('text', { text }))
}

/** Collects the codes of background failures. */
export function failuresTo(codes: string[]): OnProblem {
  return (_, failure) => codes.push(failure(message('text', { text: '' })).code)
}

export interface Received {
  status: number
  reason: string
  headers: IncomingMessage['headers']
  body: Buffer
}

export interface Asking {
  method?: string
  headers?: Record<string, string>
  /** Credentials of a separate viewing. */
  as?: { user: string; password: string }
  content?: string
}

export function askOver(
  { host, port }: Viewer['proxy'],
  url: string,
  { method = 'GET', headers = {}, as, content }: Asking = {},
): Promise<Received> {
  const credentials = as && Buffer.from(`${as.user}:${as.password}`).toString('base64')
  const sent = {
    host: new URL(url).host,
    ...(credentials !== undefined && { 'proxy-authorization': `Basic ${credentials}` }),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const asking = httpRequest({ host, port, method, path: url, headers: sent, agent: false }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          reason: answer.statusMessage ?? '',
          headers: answer.headers,
          body: Buffer.concat(parts),
        }),
      )
    })
    asking.on('error', reject)
    asking.end(content)
  })
}

/** A server that gives every request for `/URL` to the viewer as one of the worker that rewrites pages, and a client of it. */
export async function rewrittenOver(viewer: Viewer) {
  const server = createServer((request, response) => {
    void viewer.answerRewritten(request, response, (request.url ?? '').slice(1))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    ask(url: string, init: RequestInit = {}): Promise<Response> {
      return fetch(`http://127.0.0.1:${port}/${url}`, { redirect: 'manual', ...init })
    },
    close(): Promise<void> {
      server.closeAllConnections()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}
