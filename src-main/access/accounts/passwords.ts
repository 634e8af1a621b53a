/**
 * Passwords as they are stored: the result of scrypt (RFC 7914) with its parameters and salt, so that the parameters may grow without making
 * older passwords useless. The work is done on a thread of Node's pool, one password at a time: each takes `memoryBytesMax`.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { oneAtATime } from '../../contract/calls/oneAtATime.ts'

/** Cost, block size and parallelisation: 64 MiB, the second of OWASP's equivalent choices (Password Storage Cheat Sheet). */
const usual = { N: 2 ** 16, r: 8, p: 2 }
const memoryBytesMax = 160 * 1024 * 1024
const hashBytes = 32
const saltBytes = 16

type Parameters = typeof usual

const inTurn = oneAtATime()

/** Returns the text that is stored for a password. */
export async function storedPassword(password: string, parameters: Parameters = usual): Promise<string> {
  const salt = randomBytes(saltBytes)
  const { N, r, p } = parameters
  const hash = await hashOf(password, salt, parameters)
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$')
}

/** Whether a password is the stored one. Takes as long where nothing is stored, so that the time does not tell which accounts exist. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const parsed = stored === undefined ? undefined : parsedPassword(stored)
  const { parameters, salt, hash } = parsed ?? { parameters: usual, salt: randomBytes(saltBytes), hash: undefined }
  const found = await hashOf(password, salt, parameters)
  return hash?.length === found.length && timingSafeEqual(found, hash)
}

function parsedPassword(stored: string): { parameters: Parameters; salt: Buffer; hash: Buffer } {
  const [kind, N, r, p, salt = '', hash = ''] = stored.split('$')
  if (kind !== 'scrypt') throw new Error(`a password is stored in an unknown way: ${kind}`)
  const parameters = { N: Number(N), r: Number(r), p: Number(p) }
  return { parameters, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

/** The same text typed on two systems may come as different code points: NFC makes them equal (RFC 8265 4.2.2). */
function hashOf(password: string, salt: Buffer, parameters: Parameters): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  return inTurn(() => {
    scrypt(password.normalize('NFC'), salt, hashBytes, { ...parameters, maxmem: memoryBytesMax }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    )
    return promise
  })
}
