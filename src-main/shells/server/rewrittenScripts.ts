/** Scripts of rewritten replay. They run in the browser: in Loupe's page with the frame, in the first document of the frame, and in the service worker. */
import type { RewrittenOrigins } from './rewrittenGate.ts'

/** Texts of the scripts, for users. */
export interface ScriptTexts {
  notHttp: string
  missing: string
  capturedAt: string
  noWorkers: string
  notStarted: string
}

/** Script of Loupe's page. Its own address names the archived URL behind `#/`, as wabac.js writes it. The archived page reports its URL by a message; what
 *  the archive answered to it is asked of the server, because an archived page may claim anything. */
export function frameScript({ pages }: RewrittenOrigins, texts: ScriptTexts): string {
  return `const texts = ${JSON.stringify(texts)}
const [form, field, fact, frame] = ['form', 'input', 'output', 'iframe'].map((name) => document.querySelector(name))
const wanted = () => location.hash.replace(/^#\\d*\\//, '')

function show() {
  const url = wanted()
  field.value = url
  fact.textContent = ''
  if (/^https?:\\/\\/[^/]/i.test(url)) frame.src = '${pages}/#/' + url
  else if (url !== '') fact.textContent = texts.notHttp
}

async function tell(url) {
  field.value = url
  const answer = await fetch('/answered?url=' + encodeURIComponent(url.replace(/#.*/s, '')))
  const { isMissing, captured } = await answer.json()
  if (field.value === url) fact.textContent = isMissing ? texts.missing : captured ? texts.capturedAt + ' ' + captured.slice(0, 19).replace('T', ' ') + ' UTC' : ''
}

addEventListener('message', ({ origin, source, data }) => {
  if (origin !== '${pages}' || source !== frame.contentWindow || typeof data?.url !== 'string') return
  if (data.wb_type === 'load' || data.wb_type === 'replace-url') void tell(data.url)
})
addEventListener('hashchange', show)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  const typed = field.value.trim()
  const hash = '#/' + (/^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : 'http://' + typed)
  if (location.hash === hash) show()
  else location.hash = hash
})
show()
`
}

/** Script of the first document of the frame: starts the service worker, and then opens the archived URL through it. */
export function beginScript(texts: ScriptTexts): string {
  return `const texts = ${JSON.stringify(texts)}
const say = (text) => { document.querySelector('p').textContent = text }

async function begin() {
  if (!('serviceWorker' in navigator)) return say(texts.noWorkers)
  try {
    await navigator.serviceWorker.register('/worker.js')
    await navigator.serviceWorker.ready
  } catch (error) {
    return say(texts.notStarted + ' ' + error.message)
  }
  location.replace('/w/archive/mp_/' + location.hash.replace(/^#\\d*\\//, ''))
}

addEventListener('hashchange', begin)
void begin()
`
}

/** Policy of every document and worker of the archived pages: nothing is loaded from another origin, whatever the page and wabac.js let through. */
function policyOf({ frame }: RewrittenOrigins): string {
  return [
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    `frame-ancestors 'self' ${frame}`,
  ].join('; ')
}

/** Script of the service worker. It runs the script of wabac.js, which is loaded unchanged, between two guards: archived pages are of the same origin, so
 *  they could otherwise send it commands, and give themselves another policy. */
export function workerScript(origins: RewrittenOrigins): string {
  const extraConfig = {
    ...{ prefix: `${origins.pages}/capture/`, isLive: false, archivePrefix: '', noPostToGet: true },
    // A page outside of the frame leads to Loupe's page, which says that it is rewritten.
    ...{ baseUrl: `${origins.frame}/`, baseUrlHashReplay: true },
  }
  const archive = {
    msg_type: 'addColl',
    name: 'archive',
    type: 'live',
    file: { sourceUrl: 'proxy:/capture/' },
    extraConfig,
  }
  return `'use strict'
let ownMessage
addEventListener('message', (event) => {
  if (event !== ownMessage) event.stopImmediatePropagation()
})

addEventListener('activate', (event) => {
  event.waitUntil(addArchive())
})

addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url)
  if (origin !== location.origin || !isOffered(pathname)) {
    event.stopImmediatePropagation()
    return event.respondWith(Response.error())
  }
  const respond = event.respondWith.bind(event)
  event.respondWith = (response) => respond(Promise.resolve(response).then(withPolicy))
})

/** wabac.js has an API, and fetches captures itself: neither is for pages. */
function isOffered(pathname) {
  return !pathname.startsWith('/capture/') && (!pathname.startsWith('/w/') || pathname.startsWith('/w/archive/'))
}

function withPolicy(response) {
  if (response.status === 0) return Response.error()
  const headers = new Headers(response.headers)
  headers.set('Content-Security-Policy', ${JSON.stringify(policyOf(origins))})
  headers.set('X-DNS-Prefetch-Control', 'off')
  const { status, statusText } = response
  return new Response(response.body, { status, statusText, headers })
}

function addArchive() {
  return new Promise((resolve, reject) => {
    ownMessage = new MessageEvent('message', { data: ${JSON.stringify(archive)} })
    const postMessage = ({ msg_type, error }) => {
      if (error) reject(new Error(error))
      else if (msg_type === 'collAdded') resolve()
    }
    Object.defineProperty(ownMessage, 'source', { value: { postMessage } })
    dispatchEvent(ownMessage)
  })
}

importScripts('/engine.js')
`
}
