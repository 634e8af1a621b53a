/**
 * Rewritten replay for browsers that do not use the proxy: a port of this machine with an origin of its own, whose service worker (wabac.js) rewrites
 * archived pages and fetches their captures here. The proxy stays the exact replay. Both answer from the view of the interface, and missing URLs
 * are recorded in the same list. The address contains a secret of this start: it admits like a token, and shows what the account that runs
 * the engine may see.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '../../app/engine.ts'
import type { Answer } from '../../contract/services/viewer.ts'
import { browserAddress } from '../../contract/text/viewerAddresses.ts'
import { openPort } from './ports.ts'
import { sentence } from './interfaceFiles.ts'
import { rewrittenFiles, type RewrittenFile } from './rewrittenFiles.ts'
import { rewrittenOrigins, targetOf } from './rewrittenGate.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** An open port for rewritten replay. */
export interface RewrittenReplay {
  /** Address of Loupe's page with the frame. Followed by `#/` and an archived URL, it opens that URL. */
  address: string
  close(): Promise<void>
}

/** What it needs of the engine. */
export interface RewrittenParts {
  engine: Pick<Engine, 'answerRewritten' | 'viewer'> & { services: { viewer: LastAnswers } }
  onBug(error: unknown, name: string): void
  /** Takes lines about refused requests. */
  log(text: string): void
}

interface LastAnswers {
  answers(asked: object): Promise<Pick<Answer, 'viewing' | 'url' | 'by' | 'status' | 'captured'>[]>
}

/** Opens a free port of this machine and answers until `close`. Throws the faults of `openPort`. */
export async function openRewrittenReplay({ engine, onBug, log }: RewrittenParts): Promise<RewrittenReplay> {
  const { server, port } = await openPort(0)
  const origins = rewrittenOrigins(randomBytes(16).toString('hex'), port)
  const { host, port: proxyPort } = engine.viewer
  const files = rewrittenFiles(origins, `${host}:${proxyPort}`)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: target = '/', headers } = request
    const asked = targetOf({ method, target, headers }, origins)
    if ('refusal' in asked) {
      log(`refused ${method} ${target.slice(0, 200)}: ${asked.refusal}`)
      return sendSentence(response, 403, `Refused: ${asked.refusal}.`)
    }
    if (asked.of === 'capture') return engine.answerRewritten(request, response, asked.url)
    if (asked.of === 'frame' && asked.path === '/answered') return sendAnswered(response, target)
    const file = files[asked.of].get(asked.path)
    if (file) await sendFile(response, file, method === 'HEAD')
    else sendSentence(response, 404, textOf(message('server.noFile')))
  }

  /** What the archive answered last to a URL, for the line above the page. */
  async function sendAnswered(response: ServerResponse, target: string): Promise<void> {
    const url = new URL(target, origins.frame).searchParams.get('url') ?? ''
    const answers = await engine.services.viewer.answers({})
    const last = answers.findLast((each) => each.viewing === '' && browserAddress(each.url) === url)
    // The same link answers with 503 where captures cannot be read.
    const told = { isMissing: last?.by === 'missing' && last.status === 404, captured: last?.captured ?? null }
    response.writeHead(200, { ...headersOfAll, 'content-type': 'application/json' }).end(JSON.stringify(told))
  }

  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      onBug(error, request.url ?? '')
      response.destroy()
    })
  })
  return {
    address: `${origins.frame}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Headers of every answer but captures. */
const headersOfAll = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

async function sendFile(response: ServerResponse, { mediaType, policy, text }: RewrittenFile, headOnly: boolean) {
  const body = await text()
  const headers = { 'content-type': mediaType, 'content-security-policy': policy }
  response.writeHead(200, { ...headersOfAll, ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(headOnly ? undefined : body)
}

function sendSentence(response: ServerResponse, status: number, text: string): void {
  const { headers, body } = sentence(status, text)
  response.writeHead(status, headers).end(body)
}
