/** Where the viewer proxy asks a browser who it is, the browser says so, and from then on by itself. No site of the past hears anything. */
import type { DevToolsPage } from './devToolsPipe.ts'

interface Identity {
  user: string
  password: string
  /** The address at which the proxy asks. */
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
    // A request that the page gave up meanwhile has nobody to go on for; a browser that ended is heard of elsewhere.
    page.send(method, parameters).catch(() => undefined)
  }
}
