/**
 * A provider of OpenID Connect (OpenID Connect Core 1.0): the authorization code flow with PKCE, state and nonce. It says which account a person has
 * logged in with; roles are those of the account in Loupe. `openid-client` does the protocol; browsers and sessions are in `providerLogIn.ts`.
 */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from 'openid-client'
import { Fault } from '../../contract/calls/faults.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { message } from '../../contract/words/message.ts'
import { secretIn } from './secretFile.ts'

/** A provider that does not answer within this time counts as unreachable. */
const answerSecondsMax = 10

/** Claims that are asked for: the names of a person, and the address. */
const scopes = ['openid', 'profile', 'email']

/** How the provider is reached, and what is read of its answer. */
export interface IdentityProviderSetting {
  /** Its issuer, an https URL; http on this machine only. */
  issuer: string
  clientId: string
  /** Path of a file with the secret of the client. */
  clientSecretFile: string
  /** How the log-in screen calls the provider. Absent: its host. */
  name?: string
  /** Claim that is the name of the account. Absent: `preferred_username`. */
  accountClaim?: string
}

/** What has to come back with one log-in. */
export interface StartedLogIn {
  /** Where the browser logs in. */
  url: string
  state: string
  nonce: string
  codeVerifier: string
}

/** A provider that logs accounts in. */
export interface IdentityProvider {
  name: string
  /** Begins a log-in that comes back to this URL. Rejects with `Fault` unreachable. */
  start(redirectUrl: string): Promise<StartedLogIn>
  /** Resolves with the name of the account, from the URL with which the browser came back. Rejects with `Fault`: notAllowed for what the provider
   *  refuses or did not send for this log-in, and where it names no account; unreachable where it does not answer. */
  finish(url: URL, started: StartedLogIn): Promise<string>
}

/** Reads the secret. The provider is asked when an account logs in, so that Loupe starts without it. Throws `Fault` badInput for an issuer that is no
 *  https URL, and the faults of `secretIn`. */
export async function identityProvider(setting: IdentityProviderSetting): Promise<IdentityProvider> {
  const { issuer, clientId, accountClaim = 'preferred_username' } = setting
  const server = URL.parse(issuer)
  const isLocal = server !== null && ['127.0.0.1', 'localhost', '[::1]'].includes(server.hostname)
  if (!server || !(server.protocol === 'https:' || (server.protocol === 'http:' && isLocal)))
    throw new Fault('badInput', message('provider.issuer', { issuer }))
  const secret = await secretIn(setting.clientSecretFile)
  if (secret === '') throw new Fault('badInput', message('provider.secretEmpty', { path: setting.clientSecretFile }))
  const { name = server.host } = setting
  let known: Promise<Configuration> | undefined

  const unreachable = (cause: unknown): never => {
    throw new Fault('unreachable', message('provider.unreachable', { name, problem: messageOf(cause) }), { cause })
  }

  /** Its addresses and keys. They are asked for again where the last attempt failed. */
  function configuration(address: URL): Promise<Configuration> {
    known ??= discovery(address, clientId, undefined, ClientSecretBasic(secret), {
      timeout: answerSecondsMax,
      // For a provider of this machine only. The library marks it as deprecated so that it stands out.
      // oxlint-disable-next-line typescript/no-deprecated
      execute: address.protocol === 'http:' ? [allowInsecureRequests] : [],
    }).catch((error: unknown) => {
      known = undefined
      return unreachable(error)
    })
    return known
  }

  async function claimOf(
    at: Configuration,
    tokens: Awaited<ReturnType<typeof authorizationCodeGrant>>,
  ): Promise<string> {
    const claims = tokens.claims()
    if (!claims) throw new Fault('notAllowed', message('provider.noClaim', { name, claim: accountClaim }))
    // Many providers put only the subject into the token, and answer the other claims of a scope when asked.
    const found =
      claims[accountClaim] === undefined && at.serverMetadata().userinfo_endpoint !== undefined
        ? await fetchUserInfo(at, tokens.access_token, claims.sub)
        : claims
    const value = found[accountClaim]
    // An address that the provider has not verified may be that of another person.
    const isVerified = accountClaim !== 'email' || found['email_verified'] === true
    if (typeof value !== 'string' || !/^\P{Cc}{1,200}$/u.test(value) || !isVerified)
      throw new Fault('notAllowed', message('provider.noClaim', { name, claim: accountClaim }))
    return value
  }

  return {
    name,
    async start(redirectUrl) {
      const at = await configuration(server)
      const [state, nonce, codeVerifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
      const url = buildAuthorizationUrl(at, {
        ...{ redirect_uri: redirectUrl, scope: scopes.join(' '), response_type: 'code' },
        ...{
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        },
      })
      return { url: url.href, state, nonce, codeVerifier }
    },
    async finish(url, { state, nonce, codeVerifier }) {
      const at = await configuration(server)
      try {
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        }
        return await claimOf(at, await authorizationCodeGrant(at, url, checks))
      } catch (error) {
        if (error instanceof Fault) throw error
        // fetch reports a server that it cannot reach as a TypeError, and a time-out as a DOMException.
        if (isNetworkError(error)) return unreachable(error)
        throw new Fault('notAllowed', message('provider.refused', { name, problem: messageOf(error) }), {
          cause: error,
        })
      }
    },
  }
}

function isNetworkError(error: unknown): boolean {
  return (
    (error instanceof TypeError && error.message === 'fetch failed') ||
    (error instanceof Error && 'code' in error && error.code === 'OAUTH_TIMEOUT')
  )
}
