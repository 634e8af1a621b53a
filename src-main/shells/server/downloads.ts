/**
 * Downloads of files that Loupe has written. A browser downloads by navigating, and a navigation carries no token; so the interface
 * requests with its token an address (`POST /api/exported/NUMBER`) that returns the file once (`GET /exported/CODE`).
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Fault } from '../../contract/calls/faults.ts'
import { sentence } from './interfaceFiles.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** Returns the path of the file that an export has written. Throws `Fault` where there is none. */
export type ExportedPath = (number: number) => Promise<string>

/** One-time addresses for downloads. */
export interface Downloads {
  /** Returns an address of this server for one download. Throws `Fault` notFound. */
  addressFor(number: number): Promise<string>
  /** Sends the file of such an address. */
  send(target: string, response: ServerResponse): Promise<void>
}

/** Maximum number of unused addresses; beyond it the oldest are dropped. */
const addressesMax = 100

/** Whether the target is the address of a download. */
export function isForDownload(target: string): boolean {
  return target.startsWith('/exported/')
}

/** Returns the export's number in a target that requests an address; undefined in any other. */
export function exportAskedIn(target: string): number | undefined {
  const number = /^\/api\/exported\/([1-9]\d{0,14})$/.exec(target)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Makes the downloads. The addresses are kept in memory only, so a restart of the server invalidates them. */
export function downloadsOf(exported: ExportedPath): Downloads {
  const paths = new Map<string, string>()
  return {
    async addressFor(number) {
      const path = await exported(number)
      if ((await sizeOf(path)) === undefined) throw new Fault('notFound', message('files.gone', { path }))
      const address = `/exported/${randomBytes(32).toString('base64url')}`
      paths.set(address, path)
      const [oldest] = paths.keys()
      if (paths.size > addressesMax && oldest !== undefined) paths.delete(oldest)
      return address
    },
    async send(target, response) {
      const path = paths.get(target)
      paths.delete(target)
      const bytes = path === undefined ? undefined : await sizeOf(path)
      if (path === undefined || bytes === undefined) {
        const { status, headers, body } = sentence(404, textOf(message('server.downloadUsed')))
        response.writeHead(status, headers).end(body)
        return
      }
      response.writeHead(200, { ...headersFor(basename(path)), 'content-length': bytes })
      // Sends exactly the announced length: the file may be growing. A connection that ends early was closed by the user.
      const file = createReadStream(path, { end: Math.max(0, bytes - 1) })
      await pipeline(file, response).catch(() => response.destroy())
    },
  }
}

/** Size of a file in bytes; undefined where there is no file. */
async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() ? found.size : undefined
}

/**
 * Headers of a download (RFC 6266, with the name in the form of RFC 8187). The content came from archived pages: it is saved, never
 * displayed.
 */
function headersFor(name: string): Record<string, string> {
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encoded}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-store',
  }
}
