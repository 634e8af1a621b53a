/** How a harvest treats a server, over real sockets and with throttle rules in its definition: the delays after a
 *  429 or 503, of robots.txt, and after slow responses. The server measures the times; no request is earlier than
 *  allowed, even on a slow machine. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import type { harvestDefinition } from '../src-main/contract/services/definition.ts'
import { listen } from './sites/server.ts'

let folder: string
let engine: Engine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-manners-'))
  await writeFile(join(folder, 'loupe.toml'), '[harvest]\nretryDelayMs = 10\n')
  engine = await openEngine({ archiveFolder: folder, shell: 'cli', version: '0.0.0', run: true })
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

interface Request {
  path: string
  /** Time by the server's clock. */
  begunMs: number
  readonly endedMs: number
}

const pages = ['/1', '/2', '/3', '/4']
const front = pages.map((path) => `<a href="${path}">${path}</a>`).join('')

/** Rules that bound everything a rule can bound, and let a small harvest through. */
const throttle = {
  rules: [{ match: '127', fetchesPerMinute: 60_000, connections: 3, bytesPerSecond: 10_000_000 }],
  delayFactor: 0,
}

async function asked(
  answer: (path: string, response: ServerResponse, times: number) => void,
  given: Partial<z.input<typeof harvestDefinition>>,
): Promise<Request[]> {
  const requests: Request[] = []
  const server = await listen(
    createServer((request, response) => {
      const path = request.url ?? ''
      const begunMs = performance.now()
      requests.push({
        path,
        begunMs,
        get endedMs() {
          return answeredMs.get(response) ?? Infinity
        },
      })
      answer(path, response, requests.filter((each) => each.path === path).length)
    }),
  )
  const seeds = [`http://${server.address}/`]
  const { job } = await engine.services.harvests.create({ seeds, delayMs: 0, throttle, ...given })
  while ((await engine.services.jobs.show({ job })).ended === null)
    await new Promise((resolve) => setTimeout(resolve, 30))
  await server.close()
  const { documents } = await engine.services.jobs.show({ job })
  expect(documents).toMatchObject({ failed: 0, excluded: 0, fetched: pages.length + 2 })
  return requests
}

/** The time just before each response is sent. Once sending is known to be complete, the client may have continued already. */
const answeredMs = new WeakMap<ServerResponse, number>()

function send(response: ServerResponse, status: number, body: string, fields: Record<string, string> = {}): void {
  answeredMs.set(response, performance.now())
  response.writeHead(status, { 'Content-Type': 'text/html', ...fields })
  response.end(body)
}

function page(path: string, response: ServerResponse, robots?: string): void {
  if (path === '/robots.txt')
    send(response, robots === undefined ? 404 : 200, robots ?? '', { 'Content-Type': 'text/plain' })
  else send(response, 200, path === '/' ? front : path)
}

/** Between the end of a request and the start of the next. */
function pauses(requests: readonly Request[]): number[] {
  return requests.slice(1).map(({ begunMs }, at) => begunMs - (requests[at]?.endedMs ?? 0))
}

/** Clocks of two processes are not compared, but a timer may fire a little early. */
const earlyMs = 5

test.each([429, 503])('a %i with Retry-After: no request to the host for that time', async (status) => {
  const requests = await asked((path, response, times) => {
    if (path === '/2' && times === 1) send(response, status, 'busy', { 'Retry-After': '1' })
    else page(path, response)
  }, {})
  const at = requests.findIndex(({ path }) => path === '/2')
  const [busy, ...later] = requests.slice(at)
  expect(requests.filter(({ path }) => path === '/2')).toHaveLength(2)
  // Requests that were sent before the answer came do not count: with three connections there may be two, and a busy server
  // sees them late.
  const after = later.filter(({ begunMs }) => begunMs - (busy?.endedMs ?? 0) > 400)
  expect(after.length).toBeGreaterThan(0)
  for (const { path, begunMs } of after) expect(begunMs - (busy?.endedMs ?? 0), path).toBeGreaterThan(1000 - earlyMs)
})

test('a Crawl-delay in robots.txt is kept, whatever the rules would allow', async () => {
  const requests = await asked((path, response) => page(path, response, 'User-agent: *\nCrawl-delay: 0.4'), {})
  for (const pause of pauses(requests).slice(1)) expect(pause).toBeGreaterThan(400 - earlyMs)
})

test('slow hosts are requested less often: the delay is a multiple of the last response time', async () => {
  const slow: Parameters<typeof asked>[0] = (path, response) =>
    void setTimeout(() => page(path, response), path === '/robots.txt' ? 0 : 150)
  const requests = await asked(slow, { delayMs: 1, throttle: { ...throttle, delayFactor: 2 } })
  for (const pause of pauses(requests).slice(2)) expect(pause).toBeGreaterThan(300 - 30)
})

test('the delay after slow responses is limited', async () => {
  const slow: Parameters<typeof asked>[0] = (path, response) =>
    void setTimeout(() => page(path, response), path === '/robots.txt' ? 0 : 150)
  const requests = await asked(slow, { delayMs: 1, throttle: { ...throttle, delayFactor: 100, delayMsMax: 200 } })
  // Without the limit it would take 15 seconds after each of five responses.
  expect((requests.at(-1)?.begunMs ?? Infinity) - (requests[0]?.begunMs ?? 0)).toBeLessThan(45_000)
})

test('a limit of requests per minute counts from start to start', async () => {
  const rules = [{ match: '127', fetchesPerMinute: 200 }]
  const requests = await asked((path, response) => page(path, response), { throttle: { rules } })
  // Measured over all requests: a busy server may see one late, and the next would then seem too early.
  const lastedMs = (requests.at(-1)?.begunMs ?? 0) - (requests[0]?.begunMs ?? 0)
  expect(lastedMs).toBeGreaterThan(300 * (requests.length - 1) - 250)
})
