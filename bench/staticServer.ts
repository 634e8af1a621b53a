/** Serves the files of a folder over HTTP, in a process of its own, for machines without nginx: `fork('staticServer.ts', [folder])`;
 *  its parent receives the port as a message. GET only, no ranges, no validation. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { pipeline } from 'node:stream/promises'

const [, , top] = process.argv
if (top === undefined || !process.send) throw new Error('staticServer.ts is forked with the folder to serve')

/** Types by suffix; others are sent as application/octet-stream. */
const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.svg': 'image/svg+xml',
}

/** Answers one request: a file, the index.html of a folder, or 404. */
async function answer(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const asked = join(folder, normalize(decodeURIComponent(pathname)))
  const path = pathname.endsWith('/') ? join(asked, 'index.html') : asked
  const file = await stat(path).catch(() => undefined)
  if (!file?.isFile()) {
    response.writeHead(404, { 'content-type': 'text/plain', 'content-length': 10 }).end('not found\n')
    return
  }
  const type = mediaTypes[extname(path).toLowerCase()] ?? 'application/octet-stream'
  response.writeHead(200, {
    'content-type': type,
    'content-length': file.size,
    'last-modified': file.mtime.toUTCString(),
  })
  await pipeline(createReadStream(path), response)
}

const server = createServer((request, response) => {
  answer(top, request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.send?.(address.port)
})
