import { createConnection } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { payloadOf } from '../../src-main/formats/http/http.ts'
import { responseReader, type ResponseReader } from '../../src-main/formats/http/responseReader.ts'
import { extractLinks } from '../../src-main/formats/links/links.ts'
import { mayFetch, parseRobots } from '../../src-main/formats/links/robots.ts'
import { faults, refused, startFaulty, type Fault } from './faulty.ts'
import { startManyPages } from './manyPages.ts'
import { gradient } from './picture.ts'
import type { NamedSite } from './server.ts'
import { captured, missing, startTwoHosts } from './twoHosts.ts'

interface Asked {
  reader: ResponseReader
  bytes: Buffer
  fault: string | undefined
}

type Enough = (reader: ResponseReader, chunksCount: number) => boolean

const whole: Enough = ({ state }) => state === 'done' || state === 'broken'

/** Sends one request on a new connection, and closes it when `enough` was received. */
function ask(site: NamedSite, url: string, enough = whole): Promise<Asked> {
  const { host, hostname, protocol, pathname, search } = new URL(url)
  const [address = '', port = ''] = (site.resolve[hostname] ?? '').split(':')
  const reader = responseReader({ method: 'GET', headBytesMax: 262_144 })
  const chunks: Buffer[] = []
  return new Promise((resolve) => {
    const options = { host: address, port: Number(port), rejectUnauthorized: false, servername: hostname }
    const socket = protocol === 'https:' ? connectSecurely(options) : createConnection(options)
    let fault: string | undefined
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: gzip, br, zstd\r\n\r\n`)
    socket.on('data', (chunk: Buffer) => {
      const skipped = reader.skippedBytes
      const taken = reader.push(chunk)
      chunks.push(chunk.subarray(reader.skippedBytes - skipped, taken))
      if (enough(reader, chunks.length)) socket.destroy()
    })
    socket.on('end', () => reader.end())
    socket.on('error', (error: NodeJS.ErrnoException) => {
      fault = error.code
    })
    socket.on('close', () => resolve({ reader, bytes: Buffer.concat(chunks), fault }))
  })
}

/** A minimal harvest: follows links within the first host and loads resources from any host. */
async function walk(site: NamedSite): Promise<Map<string, number>> {
  const { bytes } = await ask(site, `${site.origin}/robots.txt`)
  const robots = parseRobots(Buffer.from(payloadOf(bytes, 10_000).entity).toString())
  const found = new Map<string, number>()
  const queue = [`${site.origin}/`, ...robots.sitemaps]
  for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
    if (found.has(url) || !mayFetch(robots, 'loupe', url).allowed) continue
    const answered = await ask(site, url)
    const payload = payloadOf(answered.bytes, 10_000_000)
    found.set(url, payload.head?.status ?? 0)
    const field = (name: string): string => payload.head?.fields.find(([key]) => key.toLowerCase() === name)?.[1] ?? ''
    const { links } = extractLinks({ url, mediaType: field('content-type'), body: payload.entity, linksMax: 1000 })
    if (field('location')) queue.push(new URL(field('location'), url).href)
    queue.push(
      ...links.filter((link) => link.kind === 'embed' || link.url.startsWith(site.origin)).map((link) => link.url),
    )
  }
  return found
}

test('a crawl of the two hosts finds the listed pages, and misses only what robots.txt forbids', async () => {
  const site = await startTwoHosts()
  const found = await walk(site)
  expect([...found.keys()].sort()).toEqual(captured.filter((url) => !url.endsWith('/robots.txt')))
  expect([...found.values()].filter((status) => status !== 200)).toEqual([301])
  expect(site.requests.map(({ url }) => url)).not.toContain(missing.url)
  expect(payloadOf((await ask(site, missing.url)).bytes, 100_000).head?.status).toBe(200)
  const referring = await ask(site, missing.referrer)
  expect(Buffer.from(payloadOf(referring.bytes, 100_000).entity).toString()).toContain(new URL(missing.url).pathname)
  await site.close()
})

test.each([1, 2, 50, 100])('a walk over %i pages finds every address once', async (pagesCount) => {
  const site = await startManyPages(pagesCount)
  const found = await walk(site)
  expect([...found.keys()].sort()).toEqual(site.urls.filter((url) => !url.endsWith('/robots.txt')))
  expect(new Set(found.values())).toEqual(new Set([200]))
  expect(site.requests.length).toBe(site.urls.length)
  await site.close()
})

/** How much of an endless response is needed to recognize it. */
function enoughFor({ reason, truncated }: Fault['expect']): Enough {
  if (reason === 'tooSlow') return (_, chunksCount) => chunksCount === 3
  if (truncated === 'time' || truncated === 'length')
    return ({ state }, chunksCount) => state === 'body' && chunksCount >= 2
  return whole
}

describe('every fault is as its row describes', () => {
  const endingOnes = faults.filter(({ path }) => path !== '/silent' && path !== '/falls-silent')

  test.each(endingOnes)('$path', async ({ path, expect: expected }) => {
    const site = await startFaulty()
    if (path === '/busy-then-fine') expect((await ask(site, site.origin + path)).reader.head?.status).toBe(503)
    const { reader, fault } = await ask(site, site.origin + path, enoughFor(expected))
    const { outcome, status, reason, truncated } = expected
    expect(reader.head?.status).toBe(outcome === 'fetched' ? status : undefined)
    if (outcome === 'fetched' && truncated === undefined)
      expect([reader.state, reader.truncated]).toEqual(['done', false])
    if (truncated === 'disconnect') expect(reader.truncated).toBe(true)
    if (truncated === 'framing') expect(reader.findings.map(({ rule }) => rule)).toContain('chunkBroken')
    // Our patience would end these, not the server.
    if (truncated === 'time' || truncated === 'length')
      expect([reader.state, reader.truncated]).toEqual(['body', false])
    if (reason === 'tooSlow') expect([reader.state, reader.fault]).toEqual(['head', undefined])
    else if (reason === 'reset') expect(fault).toBe('ECONNRESET')
    else if (reason !== undefined) expect(reader.fault).toBe(reason)
    await site.close()
  })

  test('/silent and /falls-silent keep their connections open without sending', async () => {
    const site = await startFaulty()
    const silent = ask(site, `${site.origin}/silent`)
    const half = await ask(site, `${site.origin}/falls-silent`, ({ state }) => state === 'body')
    expect(half.reader.head?.status).toBe(200)
    await expect.poll(() => site.requests.length).toBe(2)
    await site.close()
    expect((await silent).bytes.length).toBe(0)
  })

  test('the first page links to all of them', async () => {
    const site = await startFaulty()
    const { bytes } = await ask(site, `${site.origin}/`)
    const body = payloadOf(bytes, 100_000).entity
    const { links } = extractLinks({ url: `${site.origin}/`, mediaType: 'text/html', body, linksMax: 1000 })
    expect(links.map(({ url }) => url)).toEqual([...faults.map(({ path }) => site.origin + path), refused])
    expect((await ask(site, refused)).fault).toBe('ECONNREFUSED')
    await site.close()
  })
})

test('an image is a PNG of its size', () => {
  const png = gradient(10, 5, [0, 0, 0], [255, 255, 255])
  const data = png.indexOf('IDAT') + 4
  const length = png.readUInt32BE(data - 8)
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([10, 5])
  expect(inflateSync(png.subarray(data, data + length)).length).toBe(5 * 31)
})
