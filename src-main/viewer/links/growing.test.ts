/** A viewing that opens before its index is built: the replies until then, the requests that are not recorded, and the reported
 *  progress. The test controls the clock and each step of the index build. */
import { message } from '../../contract/words/message.ts'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { holdBuilds } from '../../indexes/testing/heldBuilds.ts'
import { openIndexes } from '../../indexes/indexes.ts'
import { createArchive } from '../../indexes/testing/archiveFixture.ts'
import type { World } from '../../world/world.ts'
import { growingPartWaitMsMax } from '../model/limits.ts'
import { askOver, viewerOver, operator } from '../testing/viewerFixture.ts'
import type { Chosen, OpenView } from '../viewer.ts'

const html = [['Content-Type', 'text/html']] as const
const asPage = { 'upgrade-insecure-requests': '1', accept: 'text/html' }
const newest = (...jobs: number[]): Chosen => ({ jobs, moment: { kind: 'newest' }, withinMs: undefined })
const urlOf = (job: number) => `http://job${job}.example/`
const at = '2021-01-01T00:00:00Z'

/** A clock that advances only when something sleeps, and not at all while `stands` is true. */
function clocked(world: World) {
  const time = { elapsedMs: 0, stands: false }
  const clock = Object.assign(Object.create(world.clock) as World['clock'], {
    elapsed: () => time.elapsedMs,
    sleep: async (durationMs: number, signal?: AbortSignal) => {
      if (!time.stands) time.elapsedMs += durationMs
      await new Promise((others) => setTimeout(others, 1))
      signal?.throwIfAborted()
    },
  })
  return { time, world: { ...world, clock } }
}

async function viewing() {
  const made = await createArchive()
  for (const job of [1, 2])
    await made.add({
      name: `${job}-1-a.warc.gz`,
      job,
      rows: [{ url: urlOf(job), at, fields: html, body: `job ${job}` }],
    })
  const { archive, folder, tasks } = made
  const { world, ...steps } = holdBuilds(made.world)
  const indexes = await openIndexes({ folder: `${folder}/indexes`, world, archive, tasks })
  const problems: unknown[] = []
  const { time, world: timed } = clocked(world)
  const viewer = await viewerOver(made, { world: timed, indexes, onProblem: (error) => problems.push(error) })
  const isWhole = Promise.withResolvers<void>()
  viewer.onView(({ growth }) => {
    if (!growth.isGrowing) isWhole.resolve()
  })
  const ask = (url: string, headers = {}) => askOver(viewer.proxy, url, { headers })
  return {
    ...{ made, viewer, indexes, problems, time, ask, ...steps },
    whole: isWhole.promise,
    command: (path: string) => ask(`http://${viewer.commandHost}${path}`),
    /** Runs both steps that build the index of one batch of files. */
    async grow() {
      await steps.step()
      await steps.step()
    },
    async [Symbol.asyncDispose]() {
      await viewer.close()
      await made[Symbol.asyncDispose]()
    },
  }
}

test('opens at once, reports progress, and replies from the whole index when it is built', async () => {
  await using opened = await viewing()
  const { viewer, ask, command, time, grow, whole } = opened
  const told: OpenView[] = []
  viewer.onView((view) => told.push(view))
  const begun = await viewer.open(newest(1, 9), { atOnce: true })
  expect(begun.growth).toEqual({ isGrowing: true, filesDone: 0, filesTotal: 1, jobsDone: 0, captures: 0 })
  expect(begun.completeness).toMatchObject({ jobsAsked: [1, 9], jobsFound: [1], jobsMissing: [9] })

  const page = await ask(urlOf(1), asPage)
  expect([page.status, page.headers['retry-after'], page.headers['x-loupe']]).toEqual([503, '2', 'growing'])
  expect(page.body.toString()).toContain('<meta http-equiv="refresh" content="2">')
  expect(page.body.toString()).toContain('0 of 1 file and 0 of 1 job done, 0 captures so far')
  const part = await ask(`${urlOf(1)}part.css`)
  expect([part.status, part.headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8'])
  expect(viewer.answers(0)).toMatchObject([{ by: 'growing', status: 503, found: false }, { by: 'growing' }])
  expect([viewer.misses(begun.view), viewer.errors(begun.view)]).toEqual([[], []])
  for (const path of [`/timegate/${urlOf(1)}`, `/timemap/json/${urlOf(1)}`, `/cdx?url=${urlOf(1)}`])
    expect((await command(path)).status, path).toBe(503)
  expect((await command('/getStatus')).body.toString()).toContain('is being built: 0 of 1 file ')
  expect(JSON.parse((await command('/getStatus?format=json')).body.toString())).toMatchObject({
    view: {
      requested: [1, 9],
      available: [1],
      missing: [9],
      isGrowing: true,
      filesTotal: 1,
      filesMissing: { count: 0, first: [] },
      quarantined: 0,
    },
  })

  // A resource of a page waits longer than the page itself and gets the final reply.
  time.stands = true
  const waiting = ask(urlOf(1))
  await grow()
  expect((await waiting).body.toString()).toBe('job 1')
  await whole
  expect((await ask(`${urlOf(1)}absent`)).status).toBe(404)
  expect(viewer.current()?.growth).toEqual({ isGrowing: false, filesDone: 1, filesTotal: 1, jobsDone: 1, captures: 1 })
  expect(viewer.misses(begun.view).map(({ url }) => url)).toEqual([`${urlOf(1)}absent`])
  expect((await command(`/cdx?url=${urlOf(1)}`)).status).toBe(200)
  expect(told[0]?.growth.isGrowing).toBe(true)
  expect(told.at(-1)).toMatchObject({ captures: 1, growth: { isGrowing: false } })
})

test('indexed captures are shown at once, marked as long as the index may still add a better one', async () => {
  await using opened = await viewing()
  const { viewer, indexes, ask, step, waits, whole } = opened
  const first = indexes.captureIndexFor({ jobs: [1] })
  await step()
  await step()
  ;(await first).close()
  await viewer.open(newest(1, 2), { atOnce: true })
  const got = await ask(urlOf(1))
  expect([got.body.toString(), got.headers['x-loupe-growing']]).toEqual(['job 1', '1 of 2 files'])
  expect(viewer.timeline(urlOf(1))).toEqual([{ year: 2021, captures: 1, days: [{ day: '2021-01-01', captures: 1 }] }])
  expect(viewer.captures(urlOf(1), { fromMs: Date.parse(at) + 1, toMs: Infinity })).toEqual([])
  const explained = await viewer.explain({ url: urlOf(2), method: 'GET', isPage: true }, operator)
  expect(explained).toMatchObject({ answeredBy: 'growing', isMissing: false, sent: { status: 503 } })
  await step()
  await waits()
  await step()
  await whole
  expect((await ask(urlOf(2))).body.toString()).toBe('job 2')
  expect((await ask(urlOf(1))).headers['x-loupe-growing']).toBeUndefined()
})

test('an index that cannot be finished reports the reason, and the view keeps the captures indexed so far', async () => {
  await using opened = await viewing()
  const { viewer, ask, problems, fail, whole } = opened
  await viewer.open(newest(1), { atOnce: true })
  await fail(new Error('the disk is full'))
  await whole
  expect((await ask(urlOf(1))).status).toBe(404)
  expect(viewer.current()).toMatchObject({
    growth: { isGrowing: false },
    completeness: {
      filesMissing: [{ name: '1-1-a.warc.gz', reason: message('index.failed', { problem: 'the disk is full' }) }],
    },
  })
  expect(problems).toMatchObject([{ message: 'the disk is full' }])
})

test('when two views are opened at the same time, the last is shown and the other is refused', async () => {
  await using opened = await viewing()
  const { viewer, ask, grow, whole } = opened
  const first = viewer.open(newest(1))
  const refused = expect(first).rejects.toMatchObject({ code: 'refused' })
  const second = viewer.open(newest(2), { atOnce: true })
  expect((await second).jobs).toEqual([2])
  // The index of the first view is not built.
  await grow()
  await refused
  await whole
  expect(viewer.current()?.jobs).toEqual([2])
  expect((await ask(urlOf(2))).body.toString()).toBe('job 2')
})

test('opening a view twice builds one index', async () => {
  await using opened = await viewing()
  const { viewer, grow } = opened
  const refused = expect(viewer.open(newest(1))).rejects.toMatchObject({ code: 'refused' })
  const second = viewer.open(newest(1))
  await grow()
  await refused
  expect((await second).captures).toBe(1)
})

test('when another view is opened or the session ends, the build stops without a problem', async () => {
  await using opened = await viewing()
  const { viewer, problems, waits, waiting, grow, whole } = opened
  const first = await viewer.openOwn(newest(1), urlOf(1), { atOnce: true })
  await waits()
  const second = await viewer.openOwn(newest(1), urlOf(1), { atOnce: true })
  viewer.leave(first.user)
  expect(waiting()).toBe(1)
  viewer.leave(second.user)
  expect(waiting()).toBe(0)
  await viewer.open(newest(1), { atOnce: true })
  await waits()
  await viewer.open(newest(2), { atOnce: true })
  await grow()
  await whole
  expect(viewer.current()).toMatchObject({ jobs: [2], captures: 1 })
  expect([waiting(), problems]).toEqual([0, []])
})

test('a resource waits only for a limited time, and a closed connection ends the wait', async () => {
  await using opened = await viewing()
  const { viewer, time, ask, grow } = opened
  await viewer.open(newest(1), { atOnce: true })
  expect((await ask(urlOf(1))).status).toBe(503)
  expect(time.elapsedMs).toBeGreaterThanOrEqual(growingPartWaitMsMax)
  time.stands = true
  const { host, port } = viewer.proxy
  const gone = request({ host, port, path: urlOf(1), headers: { host: 'job1.example' } })
  const over = new Promise((resolve) => gone.on('close', resolve).on('error', () => undefined))
  gone.end(() => gone.destroy())
  await over
  await grow()
  expect(viewer.answers(0)).toHaveLength(1)
})
