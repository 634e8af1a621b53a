/** Answers the requests of a live page, of its frames and of its workers through the engine, so that the rules of the harvest hold for each of them
 *  and the browser connects to no server itself. */
import type { LivePage } from '../../app/given/pageBrowser.ts'
import type { DevToolsPage } from './devToolsPipe.ts'

/** Payload of `Fetch.requestPaused`. */
interface Paused {
  requestId: string
  request: { url: string; method: string; headers: Record<string, string> }
}

/** Answers all requests of the session from now on. */
export function answerLive(session: DevToolsPage, answer: LivePage['answer']): void {
  session.on<Paused>('Fetch.requestPaused', ({ requestId, request: { url, method, headers } }) => {
    void answer({ url, method, referrer: headers['Referer'] }).then((given) =>
      given.is === 'refused'
        ? send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
        : send('Fetch.fulfillRequest', {
            ...{ requestId, responseCode: given.status, body: Buffer.from(given.body).toString('base64') },
            responseHeaders: given.fields.map(([name, value]) => ({ name, value })),
          }),
    )
  })
  send('Network.setBypassServiceWorker', { bypass: true })
  send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })

  function send(method: string, parameters: object): void {
    // The page may be gone. Some kinds of workers cannot be intercepted: their requests reach the proxy, which refuses them.
    session.send(method, parameters).catch(() => undefined)
  }
}
