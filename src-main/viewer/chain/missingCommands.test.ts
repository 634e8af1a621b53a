/** The links on the page of a missing URL, and their commands, which require the command token: archived pages cannot trigger them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import { createArchive, type ArchiveFixture } from '../../indexes/testing/archiveFixture.ts'
import { askOver, viewerOver, type Asking } from '../testing/viewerFixture.ts'
import type { Viewer } from '../viewer.ts'

const html = [['Content-Type', 'text/html']] as const
const page = 'http://site.example/'
const lacking = `${page}lacking?a=1&b=2`
const asked = encodeURIComponent(lacking)
let made: ArchiveFixture
let viewer: Viewer
const done: string[] = []

beforeAll(async () => {
  made = await createArchive()
  const row = { at: '2021-01-01T00:00:00Z', fields: html, body: 'page' }
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [{ ...row, url: page }] })
  await made.add({ name: '2-1-a.warc.gz', job: 2, rows: [{ ...row, url: lacking }] })
  viewer = await viewerOver(made, {
    allowedOrigins: ['http://127.0.0.1:4711'],
    otherCaptures: (url, { jobs = [] }) => ({
      captures: url === lacking && !jobs.includes(2) ? [{ job: 2 } as never] : [],
      notSearched: [],
    }),
    overlaysOver: (jobs) => (jobs.includes(1) && !jobs.includes(2) && done.includes('ended') ? [2] : []),
    missing: {
      add: async (_, jobs, url) => void done.push(`add ${jobs.join()} ${url}`),
      async harvest(_, jobs, url) {
        if (url === page) throw new Fault('refused', message('miss.harvest.noJob'))
        done.push(`harvest ${jobs.join()} ${url}`)
        return { job: 7, patches: 1 }
      },
    },
  })
})
afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})
beforeEach(async () => {
  done.length = 0
  await viewer.open({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined })
})

const ask = (url: string, asking?: Asking) => askOver(viewer.proxy, url, asking)
const command = (path: string, asking?: Asking) => ask(`http://${viewer.commandHost}${path}`, asking)
const proven = () => ({ as: { user: viewer.commandUser, password: viewer.commandToken } })
const navigating = { headers: { 'accept': 'text/html', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'user-agent': 'Mozilla/5.0' } } // prettier-ignore

test('the page of a missing URL links to the other job, to Missing and to a harvest of it', async () => {
  const { status, body } = await ask(lacking, navigating)
  expect(status).toBe(404)
  const host = `http://${viewer.commandHost}`
  const links = [...body.toString().matchAll(/<a href="([^"]*)">([^<]*)/g)].map(([, href, text]) => [
    text,
    href?.replaceAll('&#38;', '&'),
  ])
  expect(links).toEqual([
    ['Open in job 2', `${host}/changeIndex?jobID=2&label=jobs%202&returnURL=${asked}`],
    ['Add job 2 to the view', `${host}/changeIndex?jobID=1&jobID=2&label=jobs%201%2C%202&returnURL=${asked}`],
    ['Add to Missing', `${host}/addMissing?url=${asked}`],
    ['Harvest now', `${host}/harvestNow?url=${asked}`],
  ])
})

test.each<[string, Asking]>([
  ['a link', navigating],
  ['an image', { headers: { 'sec-fetch-dest': 'image', 'user-agent': 'Mozilla/5.0' } }],
  ['a script without a browser', {}],
  [
    'a form without a token',
    { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, content: `url=${asked}` },
  ],
  [
    'a form with a guess',
    { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, content: 'token=guess' },
  ],
])('%s of an archived page cannot give the commands', async (_, asking) => {
  for (const path of ['/addMissing', '/harvestNow']) {
    const { status, headers } = await command(`${path}?url=${asked}`, asking)
    expect([status, headers['x-loupe']]).toEqual([403, 'unproven'])
  }
  expect(done).toEqual([])
})

test('with the token the URL is listed as missing, and harvested, and the answer says what happens next', async () => {
  const added = await command(`/addMissing?url=${asked}`, proven())
  expect([added.status, added.body.toString()]).toEqual([200, expect.stringContaining('#/missing?jobs=1')])
  const harvested = await command('/harvestNow', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    content: `token=${viewer.commandToken}&url=${asked}`,
  })
  expect(harvested.status).toBe(200)
  expect(harvested.body.toString()).toContain('Job 7 harvests this URL')
  expect(harvested.body.toString()).toContain('<a href="http://127.0.0.1:4711/#/jobs/7">Show job 7</a>')
  expect(done).toEqual([`add 1 ${lacking}`, `harvest 1 ${lacking}`])
})

test('a refusal is answered with its reason', async () => {
  const { status, body } = await command(`/harvestNow?url=${encodeURIComponent(page)}`, proven())
  expect(status).toBeGreaterThanOrEqual(400)
  expect(body.toString()).toContain('No harvest job is in the view')
})

test('a view that a command opens has the overlays of its jobs', async () => {
  done.push('ended')
  const back = await command(`/changeIndex?jobID=1&label=one&returnURL=${asked}`, proven())
  expect(back.status).toBe(303)
  expect((await ask(lacking)).status).toBe(200)
})
