/**
 * The built interface as files over HTTP. The folder is listed once, and only listed files are ever read: a request names a key of that
 * list, never a path, so no spelling of a path leads out of the folder.
 */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/**
 * Archived pages are loaded over http: and https: through the proxy, and only inside frames; the command host is the proxy's own address
 * for queries about itself (getRecord, getMetadata). Styles: Mantine writes style attributes.
 */
const contentSecurityPolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'frame-src http: https:',
  "connect-src 'self' http://loupe.viewer.invalid",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Headers of every answer. */
const headersOfAll = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  // The viewer detects from the Referer which frames the interface opened; it needs the origin for that, not the path.
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/** An HTTP answer with a file of the interface, or a sentence in place of one. */
export interface FileAnswer {
  status: number
  headers: Record<string, string>
  body: Uint8Array | string
}

/** Answers a request target with a file, or with a sentence and an error status. */
export type InterfaceFiles = (target: string) => Promise<FileAnswer>

/** Reads the files. `folder` undefined: this process only answers calls. */
export async function interfaceFiles(folder: string | undefined): Promise<InterfaceFiles> {
  if (folder === undefined) return () => Promise.resolve(sentence(404, textOf(message('server.noInterface'))))
  const files = await listed(folder)
  if (!files.has('/index.html'))
    return () => Promise.resolve(sentence(503, textOf(message('server.unbuilt', { folder }))))
  return async (target) => {
    const path = target.replace(/[?#].*$/, '')
    const key = path === '/' ? '/index.html' : path
    const file = files.get(key)
    if (file === undefined) return sentence(404, textOf(message('server.noFile')))
    const headers = {
      ...headersOfAll,
      'content-type': mediaTypes[extname(key)] ?? 'application/octet-stream',
      'cache-control': caching(key),
    }
    return { status: 200, headers, body: await readFile(file) }
  }
}

/** Makes a plain text answer of one sentence. */
export function sentence(status: number, text: string): FileAnswer {
  return {
    status,
    headers: { ...headersOfAll, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    body: `${text}\n`,
  }
}

/** Returns the caching header. The build puts a digest of the content into the names under assets/. */
function caching(key: string): string {
  return key.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
}

/** Lists the files of the interface by their URL path; empty when the folder is absent. */
async function listed(folder: string): Promise<Map<string, string>> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    return new Map(paths.map((path) => [`/${relative(folder, path).split(sep).join('/')}`, path]))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map()
    throw new Error(`listing the interface's files in ${folder}`, { cause: error })
  }
}
