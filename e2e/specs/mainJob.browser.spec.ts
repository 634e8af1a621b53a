/** The main job through the interface, in a real browser: harvest a site on two hosts, watch it finish, look at it through the
 *  viewer proxy, find what is missing, and find the file in which one bit was flipped. The engine, the sites and the browser
 *  are real; only the sites' names are told instead of looked up. */
import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { serve, type Serving } from '../../src-main/shells/server/serve.ts'
import { openAppWindow, type AppWindow } from '../appWindow.ts'
import { captured, missing, startTwoHosts } from '../sites/twoHosts.ts'

test.describe.configure({ mode: 'serial' })

let folder: string
let site: Awaited<ReturnType<typeof startTwoHosts>>
let serving: Serving
let window: AppWindow
let page: Page
const bugs: unknown[] = []
const complaints: string[] = []

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-main-job-'))
  site = await startTwoHosts()
  serving = await serve({
    archiveFolder: folder,
    version: '0.0.0',
    port: 0,
    onBug: (error) => bugs.push(error),
    log: () => undefined,
  })
  window = await openAppWindow(serving.openWindow)
  page = window.page
  page.on('pageerror', (error) => complaints.push(error.message))
})

test.afterAll(async () => {
  await window.close()
  await serving.close()
  await rm(folder, { recursive: true, force: true })
})

test('an empty archive offers what to do', async () => {
  await expect(page.getByRole('button', { name: 'New harvest' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import files' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  await expectAccessible(page)
})

test('a harvest is started from the form and runs to its end', async () => {
  await page.getByRole('button', { name: 'New harvest' }).click()
  await page.getByRole('textbox', { name: 'Seeds' }).fill(`${site.origin}/`)
  await page.getByRole('textbox', { name: 'Pause (ms)' }).fill('0')
  await page.getByRole('textbox', { name: 'Addresses of hosts' }).fill(
    Object.entries(site.resolve)
      .map((pair) => pair.join(' '))
      .join('\n'),
  )
  await page.getByRole('button', { name: 'Start the harvest' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Job 1: / })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open in viewer' })).toBeEnabled({ timeout: 60_000 })
  await expect(page.getByRole('table', { name: 'By status' })).toContainText(`200${captured.length - 1}`)
  await expect(page.getByRole('table', { name: 'Why not fetched' })).toContainText('disallowed by robots.txt')
  await expect(page.getByRole('list', { name: 'Log' })).toContainText('Every file is stored in every replica.')
  await expectAccessible(page)
})

test('the harvested page is shown through the proxy, a link is followed, pictures are decoded', async () => {
  await site.close() // whatever is shown from here on comes out of the archive
  await page.getByRole('button', { name: 'Open in viewer' }).click()
  const archived = page.frameLocator('iframe[title="Archived page"]')
  await expect(archived.getByRole('heading', { name: 'Welcome' })).toBeVisible()
  await archived.getByRole('link', { name: 'the collection' }).click()
  await archived.getByRole('link', { name: /The Harbour in Winter/ }).click()
  await expect(archived.getByRole('heading', { name: 'The Harbour in Winter' })).toBeVisible()
  // A picture of the HTTPS host, in a page of the HTTP host.
  const picture = archived.getByRole('img', { name: 'The Harbour in Winter' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(await picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(/^https:\/\/media\.test\//)
  await expect(page.getByRole('combobox', { name: 'Address' })).toHaveValue(missing.referrer)
  await expect(page.getByText(/^Captured .* UTC/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Found on this page' })).toContainText(
    'https://media.test/style/main.css',
  )
})

test('exactly the address that robots.txt kept away is listed as missing, with its referrer', async () => {
  await page.getByRole('tab', { name: /^All missing \(1\)/ }).click()
  const rows = page.getByRole('list', { name: 'Missing in this view' }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(missing.url)
  await expect(rows).toContainText(missing.referrer)
  await expect(rows).toContainText('robots.txt')
  await expectAccessible(page)
})

test('an HTTPS page of the archive is shown by its address', async () => {
  const address = page.getByRole('combobox', { name: 'Address' })
  await address.fill('https://media.test/plan.html')
  await address.press('Enter')
  const plan = page.frameLocator('iframe[title="Archived page"]').getByRole('img', { name: 'Plan of the house' })
  await expect.poll(() => plan.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
})

test('what was never harvested is said to be so, on a plain page', async () => {
  const address = page.getByRole('combobox', { name: 'Address' })
  await address.fill('http://museum.test/never.html')
  await address.press('Enter')
  await expect(page.frameLocator('iframe[title="Archived page"]').locator('body')).toContainText(
    'http://museum.test/never.html',
  )
  await page.getByRole('tab', { name: /^All missing \(2\)/ }).click()
  await expect(page.getByRole('list', { name: 'Missing in this view' })).toContainText('never found by these jobs')
})

test('a checksum check names the file in which one byte was changed', async () => {
  await page.getByRole('link', { name: 'Archive' }).click()
  await page.getByRole('button', { name: 'Check all checksums in all replicas' }).click()
  await expect(page.getByText('Nothing wrong was found in 4 files looked at.')).toBeVisible({ timeout: 30_000 })
  const name = await flipOneByte(join(folder, 'replicas', 'TWO'))
  await page.getByRole('button', { name: 'Check all checksums in all replicas' }).click()
  const findings = page.getByRole('table', { name: 'Findings' })
  await expect(findings.getByRole('row').filter({ hasText: name })).toContainText('TWO')
  await expect(page.getByRole('article', { name: 'ONE' })).toContainText('Sound')
  await expect(page.getByRole('article', { name: 'TWO' })).toContainText('Wrong checksum1')
  await expectAccessible(page)
})

test('nothing went wrong on the way that nobody was told of', () => {
  expect(bugs).toEqual([])
  expect(complaints).toEqual([])
})

/** In the middle of the WARC file, where a check that looks at lengths only would not see it. */
async function flipOneByte(replica: string): Promise<string> {
  const name = (await readdir(replica)).find((entry) => entry.endsWith('.warc.gz'))
  if (name === undefined) throw new Error(`there is no WARC file in ${replica}`)
  const file = await open(join(replica, name), 'r+')
  const position = Math.floor((await file.stat()).size / 2)
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, position)
  await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, position)
  await file.close()
  return name
}

/** WCAG 2 A and AA, as far as a machine can tell; the archived page itself is not ours to mend. */
async function expectAccessible(shown: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page: shown })
    .setLegacyMode()
    .exclude('iframe')
    .withTags(['wcag2a', 'wcag2aa'])
    .analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}
