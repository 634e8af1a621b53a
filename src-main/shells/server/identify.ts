/** Answers the proxy authentication of the viewer in a browser that Loupe started. Archived sites never see the credentials. */
import type { DevToolsPage } from './devToolsPipe.ts'

interface Identity {
  user: string
  password: string
  /** The address at which the proxy asks for credentials. */
  enter: string
}

export async function identify(page: DevToolsPage, { enter, user, password }: Identity): Promise<void> {
  page.on<{ requestId: string }>('Fetch.requestPaused', ({ requestId }) => say('Fetch.continueRequest', { requestId }))
  page.on<{ requestId: string; authChallenge: { source?: string } }>(
    'Fetch.authRequired',
    ({ requestId, authChallenge }) => {
      const known = { response: 'ProvideCredentials', username: user, password }
      const authChallengeResponse = authChallenge.source === 'Proxy' ? known : { response: 'CancelAuth' }
      say('Fetch.continueWithAuth', { requestId, authChallengeResponse })
    },
  )
  await page.send('Fetch.enable', {
    handleAuthRequests: true,
    patterns: [{ urlPattern: `${new URL(enter).origin}/*` }],
  })
  function say(method: string, parameters: object): void {
    // The page may have cancelled the request; the end of the browser is reported elsewhere.
    page.send(method, parameters).catch(() => undefined)
  }
}
