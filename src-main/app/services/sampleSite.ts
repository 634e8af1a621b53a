/**
 * The sample site shipped with the application, served on loopback while a job harvests it. The harvester
 * reaches it under its own host name, by the same code as any site on the Web.
 */
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { extname, join } from 'node:path'
import { Fault } from '../../contract/calls/faults.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** Host name of the sample. The top-level domain `test` is reserved for such uses (RFC 6761, 6.2). */
export const sampleHost = 'sample.loupe.test'

/** Folder of the sample. The relative path is the same in a checkout and in the bundle. */
const folder = fileURLToPath(new URL('../../../resources/sample/', import.meta.url))
/** Largest file that is served; those of the sample are far smaller. */
const fileBytesMax = 4_000_000

/** Media types by file extension. */
const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
  '.js': 'text/javascript; charset=utf-8',
}

/** The running server of the sample. */
export interface SampleSite {
  port: number
  close(): Promise<void>
}

/** Serves the sample. `port` 0 takes any free port. Throws `Fault` refused. */
export async function serveSample(world: World, port: number): Promise<SampleSite> {
  const server = createServer((request, response) => {
    void answer(world, request.url ?? '/').then(({ status, type, body }) => {
      response.writeHead(status, { 'content-type': type, 'content-length': body.length })
      response.end(body)
    })
  })
  await listening(server, port)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers with a file of the sample, or with 404. */
async function answer(world: World, target: string): Promise<{ status: number; type: string; body: Uint8Array }> {
  const path = pathOf(target)
  try {
    if (path === undefined) throw new DiskFault('absent', target)
    return {
      status: 200,
      type: mediaTypes[extname(path)] ?? 'application/octet-stream',
      body: await world.disk.read(path, fileBytesMax),
    }
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
    return { status: 404, type: 'text/plain; charset=utf-8', body: Buffer.from(textOf(message('sample.noPage'))) }
  }
}

/** Path of the file that a request target names; undefined where it is no valid URL. The URL parser resolves every `..`, so that no
 *  path leaves the folder, and names of the sample need no percent-encoding. */
function pathOf(target: string): string | undefined {
  const pathname = URL.parse(target, `http://${sampleHost}/`)?.pathname
  return pathname === undefined ? undefined : join(folder, pathname, pathname.endsWith('/') ? 'index.html' : '')
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(new Fault('refused', message('sample.port', { port }), { cause })))
    server.listen(port, '127.0.0.1', () => resolve())
  })
}
