/** The System screen in a real browser: loops, queues and the log of a running engine, notifications of what failed, and the metrics that
 *  Prometheus reads. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test, type Page } from '@playwright/test'
import { announcedEngine } from '../../src-main/shells/places/engineFile.ts'
import { soundFile } from '../sites/archiveFiles.ts'
import { expectAccessibleInBoth, importFile, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page

test.beforeAll(async () => {
  loupe = await openLoupe('system')
  page = loupe.page
  await page.setViewportSize({ width: 1500, height: 950 })
})
test.afterAll(() => loupe.close())

const table = (name: string) => page.getByRole('table', { name, exact: true })

test('shows the loops of the engine while they run', async () => {
  await page.getByRole('link', { name: 'System' }).click()
  await expect(page.getByRole('heading', { name: 'System', level: 1 })).toBeVisible()
  for (const loop of ['stuffer', 'feeder', 'generation', 'statistics'])
    await expect(table('Loops').getByRole('cell', { name: loop, exact: true })).toBeVisible()
  await expect(page.getByText('No notifications')).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('an import is in the log, and a notification arrives in the window and at a webhook', async () => {
  const received: { kind: string; text: string }[] = []
  const hook = createServer((request, response) => {
    let text = ''
    request.on('data', (bytes: Buffer) => (text += bytes.toString()))
    request.on('end', () => {
      received.push(JSON.parse(text) as (typeof received)[number])
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(hook, 'listening')
  const { settings, notifications } = loupe.serving.engine.services
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`
  await settings.set({ path: 'notifications.webhook', value: url })
  const job = await importFile(loupe, 'harbour.warc.gz', soundFile('harbour.test'))
  await expect(
    table('Log')
      .getByRole('link', { name: String(job), exact: true })
      .first(),
  ).toBeVisible()
  await notifications.test({ channel: 'desktop' })
  await expect(page.getByText('This is a test notification from Loupe.')).toBeVisible()
  await expectAccessibleInBoth(page)
  expect(await notifications.test({ channel: 'webhook' })).toEqual({ answer: '204' })
  expect(received).toMatchObject([{ kind: 'test', text: 'This is a test notification from Loupe.' }])
  hook.close()
})

test('Prometheus reads the same numbers with the access token, and nobody without it', async () => {
  const announced = await announcedEngine(loupe.archive)
  if (!announced) throw new Error('the engine is not announced')
  const { origin, token } = announced
  expect((await fetch(`${origin}/metrics`)).status).toBe(401)
  const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await answer.text()
  expect(text).toMatch(/^# HELP loupe_uptime_seconds .+\n# TYPE loupe_uptime_seconds gauge\nloupe_uptime_seconds \d/)
  expect(text).toMatch(/^loupe_loop_passes_total\{loop="stuffer"\} [1-9]/m)
  loupe.expectNoBugs()
})
