/** The System screen in a real browser: loops, queues and the log of a running engine, notifications of what failed, and the metrics that
 *  Prometheus reads. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { announcedEngine } from '../../src-main/shells/places/engineFile.ts'
import { soundFile } from '../sites/archiveFiles.ts'
import { flipOneBit } from './replicaDamage.ts'
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

test('an import is in the log, and a damaged copy is notified to the window and to a webhook', async () => {
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
  const { settings, archive } = loupe.serving.engine.services
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`
  await settings.set({ path: 'notifications.webhook', value: url })
  await settings.set({ path: 'notifications.rules', value: ['all -> log, desktop, webhook'] })
  const job = await importFile(loupe, 'harbour.warc.gz', soundFile('harbour.test'))
  await expect(
    table('Log')
      .getByRole('link', { name: String(job), exact: true })
      .first(),
  ).toBeVisible()
  await flipOneBit(join(loupe.archive, 'replicas', 'ONE'))
  await archive.check({ kind: 'checksums' })
  await expect(table('Notifications')).toContainText('A check found 1 copy')
  await expect
    .poll(() => received.map(({ kind, text }) => [kind, text.slice(0, 20)]))
    .toEqual([['copiesDamaged', 'A check found 1 copy']])
  await expect(page.getByRole('alert').filter({ hasText: 'A check found 1 copy' })).toBeVisible()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByRole('button', { name: 'Mark all as read' })).toHaveAttribute('aria-disabled', 'true')
  await loupe.serving.engine.services.notifications.test({ channel: 'webhook' })
  await expect.poll(() => received.at(-1)?.text).toBe('This is a test notification from Loupe.')
  await expectAccessibleInBoth(page)
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
