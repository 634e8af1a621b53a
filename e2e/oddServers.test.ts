/** Servers that answer in pieces, late, or with something else than was requested, and pages that link to private
 *  addresses. Each uses a raw socket, because the timing of each byte matters. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import { harvestDefinition, type HarvestDefinition } from '../src-main/contract/services/definition.ts'
import { listen } from './sites/server.ts'
import { witnessFolder } from './witness.ts'

let folder: string
let engine: Engine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-odd-'))
  await writeFile(join(folder, 'loupe.toml'), '[harvest]\nattemptsMax = 1\n')
  engine = await openEngine({ archiveFolder: folder, shell: 'cli', version: '0.0.0', run: true })
})

afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const ok = (body: string, type = 'text/html') =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`

test.each([4, 17, 21, 25, 30, 40])('an interim response that is cut after %i bytes is not recorded', async (cut) => {
  const whole = `HTTP/1.1 100 Continue\r\n\r\n${ok('<p>here')}`
  const site = await answering(async (socket) => {
    socket.write(whole.slice(0, cut))
    await sleep(30) // so that the two pieces are two reads; that they are one would only make the test easier
    socket.write(whole.slice(cut))
  })
  await harvested({
    seeds: [`http://odd-${cut}.test/page`],
    robots: 'ignore',
    resolve: { [`odd-${cut}.test`]: site.address },
  })
  await site.close()
  const [response] = await responsesOf(`http://odd-${cut}.test/page`)
  expect(response?.firstLine).toBe('HTTP/1.1 200 OK')
  expect(response?.payload?.found).toBe(response?.payload?.claimed)
})

test('unsolicited data on an idle connection is not the response to the next request', async () => {
  const site = await answering(async (socket, path) => {
    socket.write(ok(path === '/' ? '<a href="/second">second</a>' : 'second'))
    if (path !== '/') return
    await sleep(20)
    socket.write('HTTP/1.1 408 Request Timeout\r\nContent-Length: 4\r\n\r\nlate')
  })
  const resolve = { 'late.test': site.address }
  await harvested({ seeds: ['http://late.test/'], robots: 'ignore', delayMs: 300, resolve })
  await site.close()
  const [second] = await responsesOf('http://late.test/second')
  expect(second?.firstLine).toBe('HTTP/1.1 200 OK')
})

test('a page cannot make the harvester read this machine', async () => {
  const asked: string[] = []
  const inside = await answering((socket, path) => {
    asked.push(path)
    socket.write(ok('secret'))
  })
  const port = inside.address.split(':').at(-1) ?? ''
  // IPv6 addresses that carry 127.0.0.1: mapped, compatible, NAT64 and 6to4.
  const carried = ['[::ffff:7f00:1]', '[::7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::1]']
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '[fec0::1]', '192.0.0.8', '198.18.0.1', ...carried]
  const secrets = hosts.map((host) => `http://${host}:${port}/secret`)
  const page = secrets.map((url) => `<img src="${url}">`).join('')
  const site = await answering((socket) => void socket.write(ok(page)))
  const job = await harvested({
    seeds: ['http://outside.test/'],
    robots: 'ignore',
    resolve: { 'outside.test': site.address },
  })
  await Promise.all([site.close(), inside.close()])
  expect(asked).toEqual([])
  const { rows } = await engine.services.jobs.documents({ job })
  for (const url of secrets)
    expect(
      rows.find((row) => row.url === url),
      url,
    ).toMatchObject({ outcome: 'failed', code: 'privateAddress' })
})

test('a response larger than the commit buffer does not end the job early', async () => {
  const large = Buffer.alloc(70_000_000, 'large')
  const site = await answering((socket, path) => {
    if (path !== '/large') return void socket.write(ok('<a href="/large">large</a> <a href="/after">after</a>'))
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\nContent-Length: ${large.length}\r\n\r\n`)
    socket.write(large)
  })
  await harvested({ seeds: ['http://large.test/'], robots: 'ignore', resolve: { 'large.test': site.address } })
  await site.close()
  expect(await responsesOf('http://large.test/large')).toHaveLength(1)
  expect(await responsesOf('http://large.test/after')).toHaveLength(1)
})

test('robots.txt as a seed is harvested, and the job ends', async () => {
  const site = await answering((socket) => void socket.write(ok('User-agent: *\nDisallow:\n', 'text/plain')))
  await harvested({ seeds: ['http://rules.test/robots.txt'], resolve: { 'rules.test': site.address } })
  await site.close()
  expect(await responsesOf('http://rules.test/robots.txt')).toHaveLength(1)
})

test('an invalid media type does not reach the reports', async () => {
  const site = await answering((socket) => void socket.write(ok('x', 'text/html foo - bar')))
  const job = await harvested({
    seeds: ['http://typed.test/'],
    robots: 'ignore',
    resolve: { 'typed.test': site.address },
  })
  await site.close()
  const { rows } = await engine.services.jobs.documents({ job })
  expect(rows[0]).toMatchObject({ outcome: 'fetched', mediaType: null })
})

/** Answers each request of each connection, one after the other. */
async function answering(answer: (socket: Socket, path: string) => void | Promise<void>) {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy()) // the harvester may hang up, that is part of the test
    let turn = Promise.resolve()
    let asked = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      asked += text
      // oxlint-disable-next-line no-useless-assignment -- `slice` uses it
      for (let end; (end = asked.indexOf('\r\n\r\n')) >= 0; asked = asked.slice(end + 4)) {
        const path = /^GET (\S+)/.exec(asked)?.[1] ?? ''
        turn = turn.then(() => answer(socket, path))
      }
    })
  })
  return listen(server)
}

async function harvested(given: Partial<HarvestDefinition> & Pick<HarvestDefinition, 'seeds'>): Promise<number> {
  const { job } = await engine.services.harvests.create(harvestDefinition.parse({ delayMs: 0, ...given }))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = () =>
    engine.services.jobs.show({ job }).then(({ ended }) => (ended === null ? undefined : resolve()), reject)
  const unsubscribe = engine.services.jobs.changed((changed) => (changed.job === job ? void look() : undefined))
  void look()
  await promise
  unsubscribe()
  return job
}

async function responsesOf(url: string) {
  const records = await witnessFolder(join(folder, 'replicas/ONE'))
  return records.filter((record) => record.type === 'response' && record.url === url)
}
