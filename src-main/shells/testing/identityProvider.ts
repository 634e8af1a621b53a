/** A real OpenID Connect provider for tests: `oidc-provider`, on loopback. Anyone logs in under any name, which becomes `preferred_username`. */
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import Provider from 'oidc-provider'

/** The client that the provider knows. */
export const client = { id: 'loupe', secret: 'the secret of the client at the provider' }

/** A running provider. */
export interface TestedProvider {
  issuer: string
  stop(): Promise<void>
}

/** Starts a provider for a Loupe at these origins. Names that begin with "unverified" have an address that is not verified. */
export async function startProvider(port: number, origins: readonly string[]): Promise<TestedProvider> {
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: client.id, client_secret: client.secret, response_types: ['code'] },
        ...{
          grant_types: ['authorization_code'],
          redirect_uris: origins.map((origin) => `${origin}/api/login/callback`),
        },
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the test'] },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({
        ...{ sub: accountId, preferred_username: accountId, email: `${accountId}@library.test` },
        email_verified: !accountId.startsWith('unverified'),
      }),
    }),
  })
  const answer = provider.callback()
  const server: Server = createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    issuer,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
