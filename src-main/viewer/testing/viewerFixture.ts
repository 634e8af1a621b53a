/** For the tests of the viewer: one over an archive that was made for a test, and a browser that asks its proxy over plain HTTP. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { openIndexes } from '../../indexes/indexes.ts'
import type { ArchiveFixture } from '../../indexes/testing/archiveFixture.ts'
import { openViewer, type Viewer, type ViewerParts } from '../viewer.ts'

/** `parts`: what is otherwise than that all may be shown and no other job has anything. It closes its indexes. */
export async function viewerOver(
  { world, store, archive, folder }: ArchiveFixture,
  parts: Partial<ViewerParts> = {},
): Promise<Viewer> {
  const indexes = parts.indexes ?? (await openIndexes({ folder: join(folder, 'indexes'), world, archive }))
  const viewer = await openViewer({
    ...{ store, world, archive, folder, port: 0, allowedOrigins: [], accessRules: () => [] },
    otherCaptures: () => ({ captures: [], notSearched: [] }),
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

export interface Received {
  status: number
  reason: string
  headers: IncomingMessage['headers']
  body: Buffer
}

export interface Asking {
  method?: string
  headers?: Record<string, string>
  /** Of a viewing of its own. */
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
    const asking = httpRequest({ host, port, method, path: url, headers: sent, agent: false }, (message) => {
      const parts: Buffer[] = []
      message.on('data', (part: Buffer) => parts.push(part))
      message.on('error', reject)
      message.on('end', () =>
        resolve({
          status: message.statusCode ?? 0,
          reason: message.statusMessage ?? '',
          headers: message.headers,
          body: Buffer.concat(parts),
        }),
      )
    })
    asking.on('error', reject)
    asking.end(content)
  })
}
