import 'reflect-metadata'
import { createServer as createTlsServer, type SecureVersion, type Server as TlsServer } from 'node:tls'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import * as x509 from '@peculiar/x509'
import { afterEach, describe, expect, test } from 'vitest'
import { realNetwork } from './realNetwork.ts'
import { NetworkFault, type Connection, type Security, type Target } from './world.ts'

const servers: (Server | TlsServer)[] = []
const sockets = new Set<Socket>()
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  for (const socket of sockets) socket.destroy()
})

async function listening(server: Server | TlsServer, tls: boolean): Promise<Target> {
  servers.push(server)
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    host: 'loupe.test',
    port: address.port,
    address: '127.0.0.1',
    tls,
    connectMsMax: 10_000,
    privateAllowed: true,
  }
}

async function fault(act: Promise<unknown>): Promise<NetworkFault> {
  const error = await act.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(error instanceof NetworkFault)) throw new Error('no network fault', { cause: error })
  return error
}

async function readAll(connection: Connection): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for (let part = await connection.read(); part; part = await connection.read()) parts.push(part)
  return Buffer.concat(parts)
}

describe('TLS', () => {
  const day = 86_400_000
  interface Flaw {
    modulusLength?: number
    hash?: string
    notAfterMs?: number
    maxVersion?: SecureVersion
  }

  /** A server with a self-signed certificate. It answers with the host name that the client sent (SNI). */
  async function secure({
    modulusLength = 2048,
    hash = 'SHA-256',
    notAfterMs = Date.now() + day,
    maxVersion = 'TLSv1.3',
  }: Flaw): Promise<Target> {
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash, publicExponent: new Uint8Array([1, 0, 1]), modulusLength }
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=loupe.test',
      notBefore: new Date(notAfterMs - 2 * day),
      notAfter: new Date(notAfterMs),
      signingAlgorithm: algorithm,
      keys,
    })
    const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
    const server = createTlsServer(
      { key, cert: certificate.toString('pem'), ciphers: 'DEFAULT:@SECLEVEL=0', minVersion: 'TLSv1', maxVersion },
      (socket) => {
        socket.end(`for ${String(socket.servername)}`)
      },
    )
    server.on('tlsClientError', () => undefined)
    return listening(server, true)
  }

  const rows: [string, Flaw, Partial<Security>][] = [
    ['signed by itself', {}, { trusted: false, problem: 'DEPTH_ZERO_SELF_SIGNED_CERT', protocol: 'TLSv1.3' }],
    ['expired', { notAfterMs: Date.now() - day }, { trusted: false }],
    ['with a key that is too short', { modulusLength: 1024 }, { trusted: false }],
    ['signed with SHA-1', { hash: 'SHA-1' }, { trusted: false }],
  ]
  test.each(rows)('a certificate %s is accepted and recorded', async (_, flaw, expected) => {
    const connection = await realNetwork.connect(await secure(flaw))
    expect(connection.security).toMatchObject(expected)
    expect(connection.security?.cipher).not.toBe('')
    // The server name is the host name although the connection uses the address.
    expect((await readAll(connection)).toString()).toBe('for loupe.test')
    connection.close()
  })

  test('uses an old protocol with servers that offer no newer one', async () => {
    const connection = await realNetwork.connect(await secure({ maxVersion: 'TLSv1.1' }))
    expect(connection.security?.protocol).toBe('TLSv1.1')
    expect((await readAll(connection)).toString()).toBe('for loupe.test')
    connection.close()
  })

  test('a server that never finishes the handshake: timeout', async () => {
    const silent = createTcpServer(() => undefined)
    const target = { ...(await listening(silent, true)), connectMsMax: 50, privateAllowed: true }
    expect(await fault(realNetwork.connect(target))).toMatchObject({ code: 'timeout' })
  })
  test('a server that closes the connection during the handshake', async () => {
    const target = await listening(
      createTcpServer((socket) => socket.destroy()),
      true,
    )
    expect(await fault(realNetwork.connect(target))).toMatchObject({ code: 'reset' })
  })
})

describe('a broken connection', () => {
  test('data before a reset is read before the fault', async () => {
    const ready = Promise.withResolvers<Socket>()
    const target = await listening(createTcpServer(ready.resolve), false)
    const connection = await realNetwork.connect(target)
    const socket = await ready.promise
    await new Promise<void>((resolve) => socket.write('before', () => resolve()))
    expect(Buffer.from((await connection.read()) ?? []).toString()).toBe('before')
    const read = fault(connection.read())
    socket.resetAndDestroy()
    expect(await read).toMatchObject({ code: 'reset' })
    // Every later read and write reports the same fault.
    expect(await fault(connection.read())).toMatchObject({ code: 'reset' })
    expect(await fault(connection.write(new Uint8Array(1)))).toMatchObject({ code: 'reset' })
  })
  test('a reset between reads is reported to the next read', async () => {
    const ready = Promise.withResolvers<Socket>()
    const target = await listening(createTcpServer(ready.resolve), false)
    const [connection, socket] = await Promise.all([realNetwork.connect(target), ready.promise])
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.resetAndDestroy()
    await closed
    expect(await fault(connection.read())).toMatchObject({ code: 'reset' })
  })
  test('two reads at once are a bug', async () => {
    const target = await listening(
      createTcpServer(() => undefined),
      false,
    )
    const connection = await realNetwork.connect(target)
    const first = connection.read()
    await expect(connection.read()).rejects.toThrow('two reads')
    connection.close()
    expect(await first).toBeUndefined()
  })
})

test('an endless response without a reader is held back at the sender', async () => {
  let sent = 0
  const block = Buffer.alloc(65_536)
  const held = Promise.withResolvers<void>()
  const target = await listening(
    createTcpServer((socket) => {
      socket.on('error', () => undefined)
      const send = () => {
        while (socket.write(block)) sent += block.length
        // The kernel's buffers are full and stay full while several rounds of the event loop pass.
        let rounds = 0
        const look = () => (socket.writableNeedDrain && (rounds += 1) < 200 ? setImmediate(look) : held.resolve())
        look()
      }
      socket.on('drain', send)
      send()
    }),
    false,
  )
  const connection = await realNetwork.connect(target)
  await held.promise
  // Kernel buffers on both sides plus our own 256 KiB; without a bound this would be whatever time allowed.
  expect(sent).toBeLessThan(64 * 1024 * 1024)
  connection.close()
})
