/** Sixty viewings on one port, ten of them of a choice that another has too, asked ten thousand times in no order: each is answered out of
 *  its own jobs and moment, what it misses stands in its own list and is counted there, nothing is left unanswered, nothing is kept for good, and somebody who reads slowly holds nobody up. What is kept is counted: files, indexes and
 *  sockets exactly, memory after each part of the run. */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Archive } from '../archive/archive.ts'
import { openIndexes, type CaptureIndex, type Indexes } from '../indexes/indexes.ts'
import { madeArchive, type MadeArchive, type Row } from '../indexes/madeArchive.ts'
import { viewerOver } from './madeViewer.ts'
import type { OwnView, Viewer } from './viewer.ts'

const jobs = [1, 2, 3, 4, 5]
const years = [2010, 2011, 2012, 2013, 2014, 2015, 2016, 2017, 2018, 2019]
const paths = Array.from({ length: 20 }, (_, number) => `/page${number}`)
const requestsCount = 10_000
/** Of viewings that show the same. */
const pairsCount = 10
/** After the first part everything that is kept at all is there: code, caches up to their bounds. */
const parts = 4
/** Between the second part and the last, in which there are 5,000 requests: 0.1 to 1.1 MB where nothing is kept. Seeded leaks gave 11 MB
 *  (the question of each, or its answer) and 5 MB (the fields of each answer). */
const heldGrowthBytesMax = 3_000_000
const atOnce = 64
const large = Buffer.alloc(8_000_000, 'a body that fills every buffer on its way. ')

const bodyOf = (job: number, year: number, path: string) => `job ${job}, ${year}, ${path}`
const url = (path: string) => `http://site.example${path}`
const at = (year: number) => `${year}-06-01T00:00:00Z`

let made: MadeArchive
let viewer: Viewer
/** Opened and not closed again. */
const open = { files: 0, indexes: 0 }
const viewings: { own: OwnView; job: number; year: number }[] = []

beforeAll(async () => {
  made = await madeArchive()
  for (const job of jobs) {
    const rows: Row[] = years.flatMap((year) =>
      paths.map((path) => ({ url: url(path), at: at(year), fields: [], body: bodyOf(job, year, path) })),
    )
    const slow: Row = { url: url('/large'), at: at(2010), fields: [['Content-Type', 'video/mp4']], body: large }
    await made.add({ name: `${job}-1-a.warc.gz`, job, rows: job === 1 ? [...rows, slow] : rows })
  }
  const { world, archive, folder } = made
  const indexes = await openIndexes({ folder: `${folder}/indexes`, world, archive })
  viewer = await viewerOver(made, {
    archive: countedFiles(archive),
    indexes: countedIndexes(indexes),
    onProblem: (error) => {
      throw error
    },
  })
  const choices = jobs.flatMap((job) => years.map((year) => ({ job, year })))
  for (const { job, year } of [...choices, ...choices.slice(-pairsCount)]) {
    const moment = { kind: 'nearest' as const, atMs: Date.parse(at(year)) }
    viewings.push({ own: await viewer.openOwn({ jobs: [job], moment, withinMs: undefined }, url('/')), job, year })
  }
})
afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

function countedFiles(archive: Archive): Archive {
  const openFile: Archive['openFile'] = async (name) => {
    const opened = await archive.openFile(name)
    if (opened === undefined) return undefined
    open.files += 1
    const { file } = opened
    const close = async () => {
      open.files -= 1
      await file.close()
    }
    return { ...opened, file: { read: file.read.bind(file), bytes: file.bytes.bind(file), close } }
  }
  return Object.assign(Object.create(archive) as Archive, { openFile })
}

function countedIndexes(indexes: Indexes): Indexes {
  const captureIndexFor: Indexes['captureIndexFor'] = async (...asked) => {
    const index = await indexes.captureIndexFor(...asked)
    open.indexes += 1
    const close = () => {
      open.indexes -= 1
      index.close()
    }
    return Object.assign(Object.create(index) as CaptureIndex, { close })
  }
  return { ...indexes, captureIndexFor }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** What is there when nobody asks: what has to wait a moment for its end has waited. */
async function heldBytes(): Promise<number> {
  await vi.waitFor(() => expect({ files: open.files, sockets: openSockets() }).toEqual({ files: 0, sockets: 0 }), { timeout: 60_000 }) // prettier-ignore
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Both ends of each lie in this process. */
const openSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

const authorization = ({ user, password }: OwnView) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

function ask(agent: Agent, own: OwnView, path: string): Promise<{ status: number; body: string }> {
  const { host, port } = viewer.proxy
  const headers = { host: 'site.example', 'proxy-authorization': authorization(own) }
  return new Promise((resolve, reject) => {
    const answered = (message: IncomingMessage) => {
      const parts: Buffer[] = []
      message.on('data', (part: Buffer) => parts.push(part)).on('error', reject)
      message.on('end', () => resolve({ status: message.statusCode ?? 0, body: Buffer.concat(parts).toString() }))
    }
    httpRequest({ host, port, path: url(path), headers, agent }, answered)
      .on('error', reject)
      .end()
  })
}

test('none is answered out of the view of another, and all are answered', async () => {
  const [chosen] = fc.sample(
    fc.array(fc.tuple(fc.nat({ max: viewings.length - 1 }), fc.nat({ max: paths.length })), {
      minLength: requestsCount,
      maxLength: requestsCount,
      size: 'max',
    }),
    { numRuns: 1, seed: 50 },
  )
  const asked = chosen ?? []
  expect(asked).toHaveLength(requestsCount)
  const wrong: string[] = []
  const held: number[] = []
  let next = 0
  const one = async (agent: Agent, end: number) => {
    while (next < end) {
      const [viewing, place] = asked[next++] ?? []
      const { own, job, year } = viewings[viewing ?? -1] ?? {}
      if (!own || job === undefined || year === undefined) return
      // One address is in none of them.
      const path = paths[place ?? 0] ?? '/absent'
      const { status, body } = await ask(agent, own, path)
      const isRight = path === '/absent' ? status === 404 : status === 200 && body === bodyOf(job, year, path)
      if (!isRight) wrong.push(`${own.user} ${path}: ${status} ${body.slice(0, 80)}`)
    }
  }
  for (let part = 1; part <= parts; part += 1) {
    const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
    await Promise.all(Array.from({ length: atOnce }, () => one(agent, (requestsCount * part) / parts)))
    agent.destroy()
    held.push(await heldBytes())
  }
  expect(next).toBe(requestsCount)
  expect(open).toEqual({ files: 0, indexes: viewings.length })
  const [, early = 0] = held
  expect((held.at(-1) ?? Infinity) - early, held.join(' ')).toBeLessThan(heldGrowthBytesMax)
  expect(wrong).toEqual([])
  expect(new Set(viewings.map(({ own }) => own.view)).size).toBe(viewings.length - pairsCount)
  for (const [viewing, { own }] of viewings.entries()) {
    const times = asked.filter(([asking, place]) => asking === viewing && place === paths.length).length
    const missed = viewer.misses(own.view, own.user).map((miss) => [miss.url, miss.times])
    expect(missed).toEqual(times === 0 ? [] : [[url('/absent'), times]])
  }
  // The ring of the last answers is bounded, whatever was asked.
  expect(viewer.answers(0).length).toBeLessThan(requestsCount)
})

test('somebody who does not read holds nobody up', async () => {
  const own = viewings[0]?.own
  if (!own) throw new Error('there are viewings')
  const { host, port } = viewer.proxy
  const slow = connect(port, host)
  const begun = new Promise((resolve) => slow.once('readable', resolve))
  slow.write(
    `GET ${url('/large')} HTTP/1.1\r\nHost: site.example\r\nProxy-Authorization: ${authorization(own)}\r\n\r\n`,
  )
  await begun
  const agent = new Agent({ keepAlive: true })
  for (const { own: other, job, year } of viewings)
    expect((await ask(agent, other, '/page1')).body).toBe(bodyOf(job, year, '/page1'))
  agent.destroy()
  slow.destroy()
})

test('when all are left nothing is open any more', async () => {
  for (const { own } of viewings) viewer.leave(own.user)
  expect(viewer.own()).toEqual([])
  await vi.waitFor(() => expect(open).toEqual({ files: 0, indexes: 0 }), { timeout: 60_000 })
})
