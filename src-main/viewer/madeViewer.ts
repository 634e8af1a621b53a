/** For the tests of the viewer: a browser that asks the proxy over plain HTTP. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Viewer } from './viewer.ts'

export interface Got {
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
): Promise<Got> {
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
