/** Idle connections are closed, except those that still wait for a response. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { realWorld } from '../../world/real.ts'
import { openCertificateAuthority } from '../certificates/certificateAuthority.ts'
import { openProxy } from './proxy.ts'
import { saying } from '../testing/viewerFixture.ts'

it.each([
  ['a proxy', 'GET http://site.example/ HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n'],
  [
    'a tunnel',
    'CONNECT site.example:80 HTTP/1.1\r\nHost: site.example\r\n\r\nGET / HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n',
  ],
])('a response of %s that takes longer than the idle limit is not cut off', async (_, request) => {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-idle-'))
  const certificateAuthority = await openCertificateAuthority({ folder, world: realWorld() })
  const asked = Promise.withResolvers<void>()
  const made = Promise.withResolvers<void>()
  const proxy = await openProxy({
    ...{ port: 0, certificateAuthority, isKnown: () => true },
    async resolve() {
      asked.resolve()
      await made.promise
      return saying('it took long')
    },
    onProblem: (error) => asked.reject(error),
  })
  let server: Socket | undefined
  const begun = (message: unknown) => void (server = (message as { socket: Socket }).socket)
  subscribe('http.server.request.start', begun)
  const waiting = connect({ host: proxy.host, port: proxy.port })
  let heard = ''
  waiting.on('data', (bytes: Buffer) => (heard += bytes.toString('latin1')))
  const over = new Promise((closed) => waiting.on('close', closed))
  waiting.write(request)
  await asked.promise
  unsubscribe('http.server.request.start', begun)
  // Simulates the idle timeout.
  server?.emit('timeout')
  made.resolve()
  await over
  expect(heard).toContain('it took long')
  await proxy.close()
  await rm(folder, { recursive: true })
})
