/** Which pages the viewer shows, and to which page it assigns the resources in its lists: a job opens at its own first page, the page
 *  that requested something of another origin is named, and requests of another window are not listed. This test makes the archive
 *  files. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import { askOver } from '../../src-main/viewer/testing/viewerFixture.ts'
import { fileOf } from '../sites/archiveFiles.ts'
import { archivedPage, goToArchived, importFile, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

const harbour = 'https://harbour.test'
const quay = `${harbour}/quay.html`
const boat = 'https://cdn.test/boat.png'
const mill = 'http://mill.test/'
const at = '2012-06-01T10:00:00Z'
const html = (url: string, title: string, body = '') => ({
  ...{ url, at, mediaType: 'text/html' },
  content: `<!doctype html><title>${title}</title><h1>${title}</h1>${body}`,
})

let loupe: OpenedLoupe
let page: Page

test.beforeAll(async () => {
  loupe = await openLoupe('viewer-pages')
  page = loupe.page
  const first = [
    html(`${harbour}/`, 'Harbour', '<a href="/quay.html">The quay</a>'),
    html(quay, 'Quay', `<img src="${boat}" alt=""><iframe src="/tide.html"></iframe>`),
    html(`${harbour}/tide.html`, 'Tide'),
    { url: `${harbour}/late.txt`, at, mediaType: 'text/plain', content: 'late' },
  ]
  await importFile(loupe, 'harbour.warc.gz', fileOf(first))
  await importFile(loupe, 'mill.warc.gz', fileOf([html(mill, 'Mill'), html(`${mill}wheel.html`, 'Wheel')]))
})

test.afterAll(() => loupe.close())

const resources = () => page.getByRole('list', { name: 'Resources of this page' })
const row = (url: string): Locator => resources().getByRole('listitem').filter({ hasText: url })
const heading = (name: string) => archivedPage(page).getByRole('heading', { name, exact: true })

async function openInViewer(job: number): Promise<void> {
  await page.evaluate((hash) => (window.location.hash = hash), `#/jobs/${job}`)
  await page.getByRole('link', { name: 'Open in viewer' }).click()
}

test('a job opens in the viewer at its own first page, and returns to the last page', async () => {
  await openInViewer(1)
  await expect(heading('Harbour')).toBeVisible()
  await archivedPage(page).getByRole('link', { name: 'The quay' }).click()
  await expect(heading('Quay')).toBeVisible()
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Jobs' })).toBeVisible()
  await page.goBack()
  await expect(heading('Quay')).toBeVisible()
  await openInViewer(2)
  await expect(heading('Mill')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Page URL' })).toHaveValue(mill)
  await openInViewer(1)
  await expect(heading('Harbour')).toBeVisible()
})

test('a page is a document, its frame is one, and its cross-origin requests name it', async () => {
  await archivedPage(page).getByRole('link', { name: 'The quay' }).click()
  await expect(row(boat)).toContainText(`requested by ${quay}`)
  await expect(row(quay).filter({ hasText: /^https:\/\/harbour\.test\/quay\.html/ })).toContainText('document')
  await expect(row(`${harbour}/tide.html`)).toContainText('iframe')
  await page.getByRole('tab', { name: /^All missing/ }).click()
  const missing = page.getByRole('list', { name: 'Missing in this view' })
  await expect(missing.getByRole('listitem').filter({ hasText: boat })).toContainText(`requested by ${quay}`)
  await goToArchived(page, `${harbour}/never.html`)
  await expect(missing.getByRole('listitem').filter({ hasText: 'never.html' })).toContainText('document')
  await page.getByRole('tab', { name: /^This page/ }).click()
})

test('requests of another window are not in this page, and a cached page has the status of its capture', async () => {
  await goToArchived(page, `${harbour}/`)
  await expect(heading('Harbour')).toBeVisible()
  const { viewer } = loupe.serving.engine
  const opened = { 'upgrade-insecure-requests': '1', accept: 'text/html' }
  await askOver(viewer, `${mill}elsewhere.html`, { headers: opened })
  await askOver(viewer, mill, { headers: opened })
  await askOver(viewer, `${mill}grain.png`, { headers: { referer: mill } })
  const late = `${harbour}/late.txt`
  await archivedPage(page)
    .locator('body')
    .evaluate((_, url) => fetch(url).then((got) => got.text()), late)
  await expect(row(late)).toContainText('200')
  await expect(resources().getByRole('listitem').filter({ hasText: 'mill.test' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Reload', exact: true }).click()
  await expect(heading('Harbour')).toBeVisible()
  await expect(row(`${harbour}/`).first()).toContainText('200')
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
