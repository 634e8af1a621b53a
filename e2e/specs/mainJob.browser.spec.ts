/** The main task through the interface, in a real browser: harvest a site on two hosts, watch it finish, view it through the viewer's
 *  proxy, find what is missing, and find the file in which one bit was flipped. The engine, the sites and the browser are real; only
 *  the sites' names are configured instead of resolved. */
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { captured, missing, startTwoHosts } from '../sites/twoHosts.ts'
import { expectAccessible, openJobTab, openLoupe, openPart, type OpenedLoupe } from './openedLoupe.ts'
import { flipOneBit } from './replicaDamage.ts'

test.describe.configure({ mode: 'serial' })

let site: Awaited<ReturnType<typeof startTwoHosts>>
let loupe: OpenedLoupe
let page: Page

test.beforeAll(async () => {
  site = await startTwoHosts()
  loupe = await openLoupe('main-job')
  page = loupe.page
})

test.afterAll(() => loupe.close())

test('an empty archive offers what to do', async () => {
  await expect(page.getByRole('button', { name: 'New harvest' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import files' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open sample' })).toBeVisible()
  await expectAccessible(page)
})

test('a harvest is started from the form and runs to its end', async () => {
  await page.getByRole('button', { name: 'New harvest' }).click()
  await page.getByRole('textbox', { name: 'Seeds' }).fill(`${site.origin}/`)
  await openPart(page, 'Politeness')
  await page.getByRole('textbox', { name: 'Delay (ms)' }).fill('0')
  await openPart(page, 'Patterns, user agent and DNS')
  await page.getByRole('textbox', { name: 'Hosts file' }).fill(
    Object.entries(site.resolve)
      .map((pair) => pair.join(' '))
      .join('\n'),
  )
  await page.getByRole('button', { name: 'Start harvest' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Job 1: / })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open in viewer' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'By status' })).toContainText(`200${captured.length - 1}`)
  await expect(page.getByRole('table', { name: 'Not captured, by reason' })).toContainText('disallowed by robots.txt')
  await openJobTab(page, 'Log')
  await expect(page.getByRole('list', { name: 'Log' })).toContainText('All files are stored in all replicas.')
  await expectAccessible(page)
})

test('the harvested page is shown through the proxy, a link is followed, and images are decoded', async () => {
  await site.close() // everything shown from here on comes from the archive
  await page.getByRole('link', { name: 'Open in viewer' }).click()
  const archived = page.frameLocator('iframe[title="Archived page"]')
  await expect(archived.getByRole('heading', { name: 'Welcome' })).toBeVisible()
  await archived.getByRole('link', { name: 'the collection' }).click()
  await archived.getByRole('link', { name: /The Harbour in Winter/ }).click()
  await expect(archived.getByRole('heading', { name: 'The Harbour in Winter' })).toBeVisible()
  // A picture of the HTTPS host, in a page of the HTTP host.
  const picture = archived.getByRole('img', { name: 'The Harbour in Winter' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(await picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(/^https:\/\/media\.test\//)
  await expect(page.getByRole('combobox', { name: 'Page URL' })).toHaveValue(missing.referrer)
  await expect(page.getByText(/^Captured .* UTC/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Resources of this page' })).toContainText(
    'https://media.test/style/main.css',
  )
})

test('exactly the URL that robots.txt excluded is listed as missing, with its referrer', async () => {
  await page.getByRole('tab', { name: /^All missing \(1\)/ }).click()
  const rows = page.getByRole('list', { name: 'Missing in this view' }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(missing.url)
  await expect(rows).toContainText(missing.referrer)
  await expect(rows).toContainText('robots.txt')
  await expect(rows).toContainText(/last missed \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/)
  await expectAccessible(page)
})

test('an HTTPS page of the archive is shown by its address', async () => {
  const address = page.getByRole('combobox', { name: 'Page URL' })
  await address.fill('https://media.test/plan.html')
  await address.press('Enter')
  const plan = page.frameLocator('iframe[title="Archived page"]').getByRole('img', { name: 'Plan of the house' })
  await expect.poll(() => plan.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
})

test('a URL that was never harvested gets a plain page that says so', async () => {
  const address = page.getByRole('combobox', { name: 'Page URL' })
  await address.fill('http://museum.test/never.html')
  await address.press('Enter')
  await expect(page.frameLocator('iframe[title="Archived page"]').locator('body')).toContainText(
    'http://museum.test/never.html',
  )
  await page.getByRole('tab', { name: /^All missing \(2\)/ }).click()
  await expect(page.getByRole('list', { name: 'Missing in this view' })).toContainText('Never found by this job')
})

test('a checksum check names the file in which one byte was changed', async () => {
  await page.getByRole('link', { name: 'Archive' }).click()
  await checkAllChecksums()
  await expect(page.getByText('No problems found in 4 copies checked.')).toBeVisible()
  const name = await flipOneBit(join(loupe.archive, 'replicas', 'TWO'))
  await checkAllChecksums()
  const findings = page.getByRole('table', { name: 'Findings' })
  await expect(findings.getByRole('row').filter({ hasText: name })).toContainText('TWO')
  await expect(page.getByText('Done, with findings', { exact: true })).toBeVisible()
  await expect(page.getByRole('article', { name: 'ONE' })).toContainText('Intact')
  await expect(page.getByRole('article', { name: 'TWO' })).toContainText('Needs attention')
  await expectAccessible(page)
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())

async function checkAllChecksums(): Promise<void> {
  await page.getByRole('button', { name: 'Check all replicas…' }).click()
  await page.getByRole('button', { name: 'Start check' }).click()
  await page.getByRole('button', { name: 'Show in archive' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
}
