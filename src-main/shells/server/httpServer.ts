/**
 * The contract over HTTP on one port: calls as POST, their description as an OpenAPI document, events as server-sent events, uploaded files as
 * PUT, downloads, the interface's files; requests meant for a proxy are passed on. `gate.ts` decides which requests are accepted. A port of this
 * machine admits requests with the token of this start; a port that others reach, the accounts that are logged in (`admission.ts`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { hasRole, isOfThisMachine, lackingRole, shells, type Caller } from '../../contract/calls/caller.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { openApiOf } from '../../contract/calls/openApi.ts'
import { replyTo, type Contract, type Offered, type Reply } from '../../contract/calls/service.ts'
import { admittedBy, type Admission, type Admitted } from './admission.ts'
import { answerLogIn } from './answerLogIn.ts'
import { downloadsOf, exportAskedIn, isForDownload, type Downloads, type ExportedPath } from './downloads.ts'
import { eventStream } from './eventStream.ts'
import {
  isForAcls,
  isForApi,
  isForIncoming,
  isForProvider,
  isForProxy,
  isHostOf,
  logInTarget,
  metricsTarget,
  openingCodeOf,
  refusal,
  type Own,
  type Refusal,
} from './gate.ts'
import { answerIncoming, type Incoming } from './incomingFiles.ts'
import type { OpenPort } from './ports.ts'
import { providerLogIns, type ProviderAnswer, type ProviderLogIns } from './providerLogIn.ts'
import { bodyOf, replyOf, sendReply } from './replies.ts'
import { interfaceFiles, sentence, type FileAnswer } from './interfaceFiles.ts'
import { message } from '../../contract/words/message.ts'
import { textFor } from '../../contract/words/render.ts'

/** Where the calls are, by their names, and their description. */
const callPath = '/api/call/'
const descriptionTarget = '/api/openapi.json'

/** Takes over requests meant for a proxy: the viewer's server answers them. */
export interface PassOn {
  request(request: IncomingMessage, response: ServerResponse): void
  connect(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** Parameters of serving a contract over HTTP. */
export interface Serving<C extends Contract> extends Offered<C> {
  at: OpenPort
  admission: Admission
  /** Version of this software, for the description of the calls. */
  version: string
  /** Folder of the built interface; absent: only calls and events are served. */
  rendererFolder?: string
  passOn?: PassOn
  /** Absent: no files are accepted. */
  incoming?: Incoming
  /** Gives the text for Prometheus. Absent: there is none. */
  metrics?: () => Promise<string>
  /** Answers for the tokens of a user, in lines. Absent: nobody is asked. */
  userAcls?: (query: URLSearchParams) => Promise<{ status: number; text: string }>
  /** Absent: nothing can be downloaded. */
  exported?: ExportedPath
  /** Takes lines about refused requests. */
  log(text: string): void
}

/** Request header in which a shell other than a window names itself. */
export const shellField = 'loupe-shell'

/** A contract that is served over HTTP. */
export interface Served {
  origin: string
  port: number
  /** Address of the interface; with the token, where there is one, in the fragment, which no request carries. */
  url: string
  /** Returns an address like `url` for one loading, which may begin in a page of another origin, such as a local file. */
  openingUrl(): string
  close(): Promise<void>
}

/** Serves the contract on an open port until `close`. Reads the list of the interface's files first. */
export async function serveContract<C extends Contract>(serving: Serving<C>): Promise<Served> {
  const { at, contract, admission, onBug, log, passOn } = serving
  const { server, port, origin, origins } = at
  const admitted = admittedBy(admission)
  const fragment = 'token' in admission ? `#token=${admission.token}` : ''
  const openingCodes = new Set<string>()
  const files = await interfaceFiles(serving.rendererFolder)
  const events = eventStream(serving)
  let described: Promise<string> | undefined
  const describe = async () =>
    JSON.stringify(await openApiOf(contract, { version: serving.version, origin, callPath }, () => turn()))
  const api: Api = {
    description: () => (described ??= describe()),
    reply: replyTo(serving),
    admitted,
    providerLogIns:
      admitted.provider && admitted.logIns
        ? providerLogIns({ provider: admitted.provider, logIns: admitted.logIns, log })
        : undefined,
    origins,
    log,
    events,
    incoming: serving.incoming,
    metrics: serving.metrics,
    userAcls: serving.userAcls,
    downloads: serving.exported && downloadsOf(serving.exported),
    onBug,
  }
  const tunnels = new Set<Duplex>()

  server.on('request', (request, response) => {
    const target = request.url ?? '/'
    if (isForProxy(target) && passOn) return passOn.request(request, response)
    const own: Own = {
      ...{ origins, openingCodes },
      refusal: () => admitted.refusal(request),
      isAdmitted: () => admitted.isOpen(request),
    }
    const refused = refusal({ method: request.method ?? '', target, headers: request.headers }, own)
    if (refused) {
      log(`refused ${request.method} ${target.slice(0, 200)}: ${refused.why}`)
      return sendRefusal(response, target, refused)
    }
    openingCodes.delete(openingCodeOf(target) ?? '')
    const answer = () => {
      if (isForApi(target)) return answerApi(api, request, response, target)
      if (isForDownload(target) && api.downloads && request.method === 'GET')
        return api.downloads.send(target, response)
      return files(target).then((file) => sendFile(response, file, request.method === 'HEAD'))
    }
    answer().catch((error: unknown) => {
      onBug(error, target)
      response.destroy()
    })
  })
  server.on('connect', (request, socket, head) => {
    if (!passOn) return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
    tunnels.add(socket)
    socket.on('close', () => tunnels.delete(socket))
    passOn.connect(request, socket, head)
  })

  return {
    origin,
    port,
    url: `${origin}/${fragment}`,
    openingUrl() {
      const code = randomBytes(32).toString('base64url')
      openingCodes.add(code)
      return `${origin}/?open=${code}${fragment}`
    },
    close: () =>
      new Promise((resolve) => {
        events.close()
        for (const tunnel of tunnels) tunnel.destroy()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** What answers requests below `/api/` and `/incoming/`. */
interface Api {
  /** The calls as an OpenAPI document in JSON. It is made once. */
  description(): Promise<string>
  reply(name: string, input: unknown, caller: Caller): Promise<Reply>
  admitted: Admitted
  providerLogIns: ProviderLogIns | undefined
  origins: readonly string[]
  log(text: string): void
  events: ReturnType<typeof eventStream>
  incoming: Incoming | undefined
  metrics: Serving<Contract>['metrics']
  userAcls: Serving<Contract>['userAcls']
  downloads: Downloads | undefined
  onBug(error: unknown, name: string): void
}

/** Answers a request that the gate has accepted. */
async function answerApi(api: Api, request: IncomingMessage, response: ServerResponse, target: string): Promise<void> {
  const { admitted } = api
  if (api.providerLogIns && isForProvider({ method: request.method ?? '', target })) {
    const origin = api.origins.find((each) => isHostOf(each, request.headers.host)) ?? ''
    const asked = { request, response, target, origin, address: admitted.addressOf(request) }
    return sendProviderAnswer(response, await api.providerLogIns.answer(asked))
  }
  if (target === logInTarget && admitted.logIns)
    return answerLogIn({ ...admitted, logIns: admitted.logIns, log: api.log }, request, response)
  const caller = admitted.callerOf(request)
  if (!caller) return sendRefusal(response, target, { status: 401, why: textFor('gate.token') })
  if (target === '/api/events' && request.method === 'GET') {
    if (!api.events.add(response, caller, () => admitted.isOpen(request)))
      sendReply(response, replyOf(new Fault('unreachable', message('server.tooManyListeners'))))
    return
  }
  if (target === descriptionTarget && request.method === 'GET')
    return sendText(response, { status: 200, type: 'application/json', text: await api.description() })
  if (target === metricsTarget && api.metrics && request.method === 'GET')
    return sendText(response, { status: 200, type: metricsType, text: await api.metrics() })
  if (isForAcls(target) && api.userAcls && request.method === 'GET')
    return sendText(response, { type: aclsType, ...(await aclsAnswer(api.userAcls, target, api.onBug)) })
  if (isForIncoming(target) && api.incoming) {
    if (!hasRole(caller, 'curator')) return sendReply(response, replyOf(lackingRole('/incoming/', 'curator')))
    return sendReply(response, await answerIncoming(api.incoming, { request, target, onBug: api.onBug }))
  }
  const asked = exportAskedIn(target)
  if (asked !== undefined && request.method === 'POST' && api.downloads) {
    if (!hasRole(caller, 'administrator'))
      return sendReply(response, replyOf(lackingRole('/api/exported/', 'administrator')))
    return sendReply(response, await addressReply(api.downloads, asked))
  }
  const name = target.startsWith(callPath) ? target.slice(callPath.length) : ''
  if (!/^[\w.]+$/.test(name) || request.method !== 'POST')
    return sendReply(
      response,
      replyOf(
        new Fault(
          'unknownCall',
          message('server.noTarget', { method: request.method ?? '', target: target.slice(0, 200) }),
        ),
      ),
    )
  const body = await bodyOf(request)
  if ('fault' in body) return sendReply(response, body)
  const shell = shells.find((known) => known === request.headers[shellField]) ?? 'window'
  sendReply(
    response,
    await api.reply(name, body.value, { ...caller, shell: isOfThisMachine(caller) ? shell : 'window' }),
  )
}

async function addressReply(downloads: Downloads, number: number): Promise<Reply> {
  try {
    return { value: { address: await downloads.addressFor(number) } }
  } catch (error) {
    if (error instanceof Fault) return replyOf(error)
    throw error
  }
}

/** Answers a request of a log-in through a provider: the browser sees a page, or is sent on. */
function sendProviderAnswer(response: ServerResponse, answer: ProviderAnswer): void {
  if ('reply' in answer) return sendReply(response, answer.reply)
  if ('refusal' in answer) return sendFile(response, refusalPage(answer.refusal), false)
  sendFile(response, forwardingPage(answer.goTo), false)
}

/** Makes a page that goes on to another at once. After a redirect (303), the request of the browser would still count as one of the other site. */
function forwardingPage(path: string): FileAnswer {
  return {
    status: 200,
    headers: {
      ...{
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
      // The address of this page has the code of the log-in.
      ...{ 'content-security-policy': "default-src 'none'", 'referrer-policy': 'no-referrer' },
    },
    body: `<!doctype html><meta http-equiv="refresh" content="0; url=${path}"><title>Loupe</title><a href="${path}">Loupe</a>\n`,
  }
}

/** Refuses in the form that the client expects: a reply of the contract, or a page for a browser. */
function sendRefusal(response: ServerResponse, target: string, refused: Refusal): void {
  const { status, why } = refused
  if (isForApi(target)) sendReply(response, replyOf(new Fault('notAllowed', refusalText(why))), status)
  else sendFile(response, refusalPage(refused), false)
}

function refusalPage({ status, why }: Refusal): FileAnswer {
  return sentence(status, refusalText(why))
}

function refusalText(why: string): string {
  return `Refused: ${why}.`
}

/** The media type of Prometheus' exposition format. */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'
/** The media type of ManifoldCF's servlet. An answer has ASCII characters only; a sentence about an error may have others. */
const aclsType = 'text/plain; charset=ISO-8859-1'

/** Returns the tokens of the user in the query, or 500 where Loupe makes a mistake. */
async function aclsAnswer(
  userAcls: NonNullable<Api['userAcls']>,
  target: string,
  onBug: Api['onBug'],
): Promise<{ status: number; text: string }> {
  try {
    return await userAcls(new URLSearchParams(/\?(.*)$/s.exec(target)?.[1] ?? ''))
  } catch (error) {
    onBug(error, 'UserACLs')
    return { status: 500, text: '' }
  }
}

function sendText(
  response: ServerResponse,
  { status, type, text }: { status: number; type: string; text: string },
): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  response.end(text, type === aclsType ? 'latin1' : 'utf8')
}

function sendFile(response: ServerResponse, { status, headers, body }: FileAnswer, headOnly: boolean): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(headOnly ? undefined : body)
}
