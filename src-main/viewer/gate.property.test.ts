/** The doors of the viewer: for random rules, each of them shows exactly the captures that the others show. */
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { sightOfEverything, type Sight } from '../access/access.ts'
import type { Caller } from '../contract/calls/caller.ts'
import { shownCaptures, type CaptureRule } from '../formats/cdx/captureRules.ts'
import { openIndexes } from '../indexes/indexes.ts'
import { createArchive } from '../indexes/testing/archiveFixture.ts'
import { controlCommands } from './commands/controlCommands.ts'
import { dataCommands } from './commands/dataCommands.ts'
import { timeCommands } from './commands/timeCommands.ts'
import type { ChainParts } from './replay/chainParts.ts'
import { askOver, rewrittenOver, viewerOver } from './testing/viewerFixture.ts'

const jobs = [1, 2, 3] as const
const urls = ['http://a.test/', 'http://a.test/private/x', 'http://b.test/y'] as const

interface Place {
  job: number
  url: string
  at: string
  file: string
  offset: number
  body: string
}

const anna: Caller = { account: 'anna', roles: ['viewer'], shell: 'window', address: '192.0.2.7' }

const allJobs = {
  jobs: [...jobs],
  moment: { kind: 'newest' },
  withinMs: undefined,
  isExact: true,
  overlays: [],
} as const

/** An archive of three jobs that have the same URLs, and a viewing of an account that sees what the test lets it see. */
async function opened() {
  const made = await createArchive()
  onTestFinished(() => made[Symbol.asyncDispose]())
  const places: Place[] = []
  for (const job of jobs) {
    const file = `${job}-1-a.warc.gz`
    const rows = urls.map((url, at) => ({
      ...{ url, at: new Date(Date.UTC(2020, job, at + 1)).toISOString(), body: `capture of ${url} in job ${job}` },
      fields: [['Content-Type', 'text/html']] as const,
    }))
    const offsets = await made.add({ name: file, job, rows })
    await made.add({
      name: `${job}-metadata-1.warc.gz`,
      job,
      kind: 'metadata',
      rows: [{ url: `urn:x:${job}`, at: '2020-01-01T00:00:00Z' }],
    })
    places.push(...rows.map(({ url, at, body }, index) => ({ job, url, at, file, offset: offsets[index] ?? -1, body })))
  }
  const { folder, world, archive, tasks } = made
  const indexes = await openIndexes({ folder: join(folder, 'indexes'), world, archive, tasks })
  const state = { sight: sightOfEverything, isRefusalSaid: false }
  // The account of the engine sees the same: rewritten pages are shown in its viewing.
  const sightFor = async () => state.sight
  const missed: string[] = []
  const viewer = await viewerOver(made, {
    isRefusalSaid: () => state.isRefusalSaid,
    ...{ indexes, sightFor, onMissed: (misses) => void missed.push(...misses.map(({ url }) => url)) },
    // Other jobs are offered where a view lacks a URL; here each of them has all.
    otherCaptures: async (url) => {
      const index = await indexes.captureIndexFor({ all: true })
      const captures = index.captures(url)
      index.close()
      return { captures, notSearched: [] }
    },
  })
  onTestFinished(() => viewer.close())
  await viewer.open(allJobs)
  const rewritten = await rewrittenOver(viewer)
  onTestFinished(() => rewritten.close())
  const as = await viewer.openOwn(allJobs, '', { caller: anna })
  const ask = (url: string, headers: Record<string, string> = {}) => askOver(viewer.proxy, url, { as, headers })
  const command = (path: string, headers = {}) => ask(`http://${viewer.commandHost}${path}`, headers)
  return { places, state, ask, command, rewritten, missed, viewer }
}

type Opened = Awaited<ReturnType<typeof opened>>
type IsVisible = (parts: Opened, place: Place) => Promise<boolean>

const isGiven = ({ status, body }: { status: number; body: Buffer }, text: string) =>
  status === 200 && body.toString('latin1').includes(text)
const digits = (at: string) => at.replace(/\D/g, '').slice(0, 14)

/** Whether a capture is visible through each door that shows single captures. */
const captureDoors: Record<string, IsVisible> = {
  proxy: async ({ ask }, { url, at, body }) =>
    isGiven(await ask(url, { 'accept-datetime': new Date(at).toUTCString() }), body),
  'rewritten pages': async ({ rewritten }, { url, at, body }) => {
    const answer = await rewritten.ask(url, { headers: { 'accept-datetime': new Date(at).toUTCString() } })
    return isGiven({ status: answer.status, body: Buffer.from(await answer.arrayBuffer()) }, body)
  },
  '/memento/TIME/URL': async ({ command }, { url, at, body }) =>
    isGiven(await command(`/memento/${digits(at)}/${url}`), body),
  '/timegate/URL': async ({ command }, { url, at }) => {
    const { headers } = await command(`/timegate/${url}`, { 'accept-datetime': new Date(at).toUTCString() })
    return headers.location?.includes(digits(at)) ?? false
  },
  '/timemap/json/PAGE/URL': async ({ command }, { url, at }) =>
    isGiven(await command(`/timemap/json/1/${url}`), digits(at)),
  '/timemap/link/PAGE/URL': async ({ command }, { url, at }) =>
    isGiven(await command(`/timemap/link/1/${url}`), digits(at)),
  '/timemap/json/URL': async ({ command }, { url, at }) => isGiven(await command(`/timemap/json/${url}`), digits(at)),
  '/timemap/link/URL': async ({ command }, { url, at }) => isGiven(await command(`/timemap/link/${url}`), digits(at)),
  '/cdx': async ({ command }, { url, at }) => isGiven(await command(`/cdx?url=${encodeURIComponent(url)}`), digits(at)),
  '/getRecord': async ({ command }, { file, offset, body }) =>
    isGiven(await command(`/getRecord?arcFile=${file}&arcOffset=${offset}`), body),
  // The page is no picture: a capture that is shown says so.
  '/getPayload': async ({ command }, { file, offset }) =>
    (await command(`/getPayload?file=${file}&offset=${offset}`)).status === 415,
}

/** Whether a door gives the files of a job. */
const fileDoors: Record<string, IsVisible> = {
  '/getFile': async ({ command }, { file }) => (await command(`/getFile?arcFile=${file}`)).status === 200,
  '/getMetadata': async ({ command }, { job }) => (await command(`/getMetadata?jobID=${job}`)).status === 200,
}

const rules = fc.array(
  fc.record({
    job: fc.constantFrom(null, ...jobs),
    surtPrefix: fc.constantFrom('', 'test,a', 'test,a)/private', 'test,b)/'),
    ...{ place: fc.constantFrom('share g', 'document g'), isShown: fc.boolean() },
  }),
  { maxLength: 4 },
)

function sightBy(all: readonly CaptureRule[]): Sight {
  return { everything: false, rules: all, ...shownCaptures(all) }
}

test('each door shows exactly the captures that the caller may see, and files only as a whole', async () => {
  const parts = await opened()
  await fc.assert(
    fc.asyncProperty(rules, fc.nat(), async (all, index) => {
      const sight = (parts.state.sight = sightBy(all))
      const place = parts.places[index % parts.places.length]
      if (!place) throw new Error('there are captures')
      for (const [door, isVisible] of Object.entries(captureDoors))
        expect([door, await isVisible(parts, place)]).toEqual([door, sight.capture(place)])
      for (const [door, isVisible] of Object.entries(fileDoors))
        expect([door, await isVisible(parts, place)]).toEqual([door, sight.wholeJob(place.job)])
    }),
    { numRuns: 30 },
  )
})

test('what is hidden is answered as what is absent, is not missing or offered from other jobs, and can be called restricted', async () => {
  const parts = await opened()
  const [place] = parts.places
  if (!place) throw new Error('there are captures')
  parts.state.sight = sightBy([{ job: null, surtPrefix: '', place: 'share g', isShown: false }])
  const absent = 'http://a.test/never'
  const [hidden, missing] = await Promise.all(
    [place.url, absent].map((url) => parts.ask(url, { 'sec-fetch-dest': 'document' })),
  )
  expect([hidden?.status, hidden?.headers['x-loupe']]).toEqual([404, 'not-in-archive'])
  const textOf = (reply: typeof hidden, url: string) =>
    reply?.body.toString().replaceAll(url, 'URL').replaceAll(encodeURIComponent(url), 'URL')
  expect(textOf(hidden, place.url)).toBe(textOf(missing, absent))
  const record = await parts.command(`/getRecord?arcFile=${place.file}&arcOffset=${place.offset}`)
  expect([record.status, record.body.toString()]).toEqual([404, expect.stringContaining('No record begins')])
  expect((await parts.command(`/getFile?arcFile=${place.file}`)).body.toString()).toContain('has no file')
  parts.state.isRefusalSaid = true
  const said = await parts.ask(place.url)
  expect([said.status, said.headers['x-loupe']]).toEqual([403, 'restricted'])
  await expect.poll(() => parts.missed).toEqual([absent])
})

test('a browser that is sent to the first page of a view is not sent to a hidden one', async () => {
  const { state, viewer } = await opened()
  state.sight = sightBy([{ job: null, surtPrefix: 'test,a)/', place: 'share g', isShown: false }])
  const { enter } = await viewer.openOwn(allJobs, '', { caller: anna })
  expect(new URL(enter).searchParams.get('url')).toBe('http://b.test/y')
})

/** Commands that show no capture: they report and change what the viewing itself shows, or act on a URL that is missing. */
const showNothing: readonly string[] = [
  '/certificate',
  ...['/enter', '/changeIndex', '/addMissing', '/harvestNow', '/startRecordingURIs', '/stopRecordingURIs'],
  ...['/clearRecordedURIs', '/getRecordedURIs', '/getStatus'],
]
test('every command has a door, or shows nothing', () => {
  const parts = {} as ChainParts
  const links = [controlCommands(parts), dataCommands(parts), timeCommands(parts)]
  const known = new Set([...showNothing, ...Object.keys(captureDoors), ...Object.keys(fileDoors)])
  expect(links.flatMap(({ paths }) => paths).filter((path) => !known.has(path))).toEqual([])
})
