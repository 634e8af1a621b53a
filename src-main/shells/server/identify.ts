/** Answers the proxy authentication of the viewer in a browser that Loupe started. Archived sites never see the credentials. */
import type { DevToolsPage } from './devToolsPipe.ts'

interface Identity {
  user: string
  password: string
  /** URL at which the proxy asks for credentials. */
  enter: string
}

/** Answers the proxy's challenge on the page. Challenges of servers are cancelled, so that an archived site gets
 *  no credentials. */
export async function identify(page: DevToolsPage, { enter, user, password }: Identity): Promise<void> {
  page.on<{ requestId: string }>('Fetch.requestPaused', ({ requestId }) => send('Fetch.continueRequest', { requestId }))
  page.on<{ requestId: string; authChallenge: { source?: string } }>(
    'Fetch.authRequired',
    ({ requestId, authChallenge }) => {
      const known = { response: 'ProvideCredentials', username: user, password }
      const authChallengeResponse = authChallenge.source === 'Proxy' ? known : { response: 'CancelAuth' }
      send('Fetch.continueWithAuth', { requestId, authChallengeResponse })
    },
  )
  await page.send('Fetch.enable', {
    handleAuthRequests: true,
    patterns: [{ urlPattern: `${new URL(enter).origin}/*` }],
  })
  function send(method: string, parameters: object): void {
    // The page may have cancelled the request; the end of the browser is reported elsewhere.
    page.send(method, parameters).catch(() => undefined)
  }
}
