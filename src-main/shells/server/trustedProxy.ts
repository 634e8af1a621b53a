/**
 * A server in front of the port for accounts, such as nginx. It proves itself with a secret in each request; only then its fields about the client
 * are believed: the address, and the account where it has a log-in of its own. Every other request is refused, so that no way leads around it.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import { isSameToken } from './gate.ts'
import { secretIn } from './secretFile.ts'

/** Request field with the secret, in lower case as Node has it. */
const secretField = 'loupe-proxy-secret'

/** Length below which a secret could be guessed. */
const secretCharactersMin = 32

/** Fields about the client, which the server in front sets. */
const reservedFields: readonly string[] = [secretField, 'x-forwarded-for', 'host', 'origin', 'authorization', 'cookie']

/** How the server in front is recognised. */
export interface TrustedProxySetting {
  /** Path of a file that has the secret and nothing else. */
  secretFile: string
  /** Field in which the server in front names the account that it has logged in. Absent: accounts log in with their password. */
  accountHeader?: string
}

/** What is read of a request: each field with all its values. */
type Sent = Pick<IncomingMessage, 'headersDistinct' | 'socket'>

/** The server in front, as requests show it. */
export interface TrustedProxy {
  /** Whether a request has the secret, once. */
  sent(request: Sent): boolean
  /** Whether the server in front logs accounts in. */
  hasLogIn: boolean
  /** Name of the account that the server in front has logged in; '' where the request names none, or several. Ask `sent` before. */
  accountOf(request: Sent): string
}

/** Reads the secret. Throws `Fault`: badInput for a file that is absent, short, or no text for a field, and for a name that is none of a field;
 *  notAllowed for a file that other accounts of the machine may read. */
export async function trustedProxy({ secretFile, accountHeader }: TrustedProxySetting): Promise<TrustedProxy> {
  const secret = await proxySecretIn(secretFile)
  const field = accountHeader?.toLowerCase()
  // An underscore is refused because servers such as nginx drop such fields, or read them as if they had a hyphen.
  if (field !== undefined && (!/^[a-z\d]+(?:-[a-z\d]+)*$/.test(field) || reservedFields.includes(field)))
    throw new Fault('badInput', message('proxy.header', { header: accountHeader ?? '' }))
  return {
    sent: (request) => isSameToken(onlyValue(request, secretField), secret),
    hasLogIn: field !== undefined,
    accountOf: (request) => (field === undefined ? '' : utf8Of(onlyValue(request, field)).trim()),
  }
}

/** Stands for the address of a client whose connection has ended: '' is the machine of the engine. */
const unknownAddress = 'unknown'

/** Address of the client: the last in X-Forwarded-For, since those before it come from the client. The address of the connection where there is no
 *  server in front, or it names none. */
export function clientAddress(request: Sent, proxy: TrustedProxy | undefined): string {
  const own = request.socket.remoteAddress ?? unknownAddress
  if (!proxy?.sent(request)) return own
  const last = request.headersDistinct['x-forwarded-for']?.at(-1)?.split(',').at(-1)?.trim() ?? ''
  return isIP(last) === 0 ? own : last
}

/** Returns the value of a field that was sent once, else ''. */
function onlyValue({ headersDistinct }: Sent, field: string): string {
  const values = headersDistinct[field]
  return values?.length === 1 ? (values[0] ?? '') : ''
}

/** Node reads fields as ISO 8859-1; a server in front sends the name as the user typed it, in UTF-8. */
function utf8Of(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}

async function proxySecretIn(path: string): Promise<string> {
  const secret = await secretIn(path)
  // A comma would make one value look like two, and other characters are none that a field may have.
  if (secret.length < secretCharactersMin || !/^[\x21-\x2b\x2d-\x7e]+$/.test(secret))
    throw new Fault('badInput', message('proxy.secretWrong', { path, characters: secretCharactersMin }))
  return secret
}
