/** Pages that behave differently in a frame and through a proxy are shown in the application's window; for responses that
 *  no frame can show, the window describes them. */
import { expect, test, type Page } from '@playwright/test'
import { headstrong, headstrongFile } from '../sites/headstrong.ts'
import { archivedPage, expectAccessible, goToArchived, importFile, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

let loupe: OpenedLoupe
let page: Page

test.beforeAll(async () => {
  loupe = await openLoupe('headstrong')
  page = loupe.page
  await importFile(loupe, 'headstrong.warc.gz', headstrongFile())
  // After a reload the job has ended and is selected.
  await page.reload()
  await page.getByRole('link', { name: 'Viewer', exact: true }).click()
  await page.getByRole('button', { name: 'Open viewer' }).click()
})

test.afterAll(() => loupe.close())

async function shown(url: string, title: string) {
  await goToArchived(page, url)
  const archived = archivedPage(page)
  await expect(archived.getByRole('heading', { name: title, exact: true })).toBeVisible()
  return archived
}

const width = (image: HTMLImageElement | SVGElement) => (image as HTMLImageElement).naturalWidth

test('a page that breaks out of frames stays in our frame, and the interface stays open', async () => {
  const { origin } = new URL(page.url())
  const archived = await shown(headstrong.leaving, 'Leaving')
  await expect(archived.getByText('Still here.')).toBeVisible()
  expect(new URL(page.url()).origin).toBe(origin)
  await expect(page.getByRole('combobox', { name: 'Page URL' })).toHaveValue(headstrong.leaving)
})

test('a page that forbids frames is shown in ours', async () => {
  await shown(headstrong.unframed, 'Unframed')
})

test('a host on the preload list for HTTPS is served from captures over http', async () => {
  const archived = await shown(headstrong.preloaded, 'Preloaded')
  await expect.poll(() => archived.locator('img').evaluate(width)).toBeGreaterThan(0)
})

test('a host that once required https is shown from its earlier captures', async () => {
  await shown(headstrong.strict, 'Strict')
  const plain = ['http://strict.test/plain', 'http://strict.test/tide.png']
  const archived = await shown(plain[0]!, 'Plain')
  await expect.poll(() => archived.locator('img').evaluate(width)).toBeGreaterThan(0)
  // Over https the same captures would answer; the requested address shows whether the browser learned the policy.
  const answers = await loupe.serving.engine.services.viewer.answers({})
  const asked = answers.map(({ url }) => url).filter((url) => plain.includes(url.replace('https:', 'http:')))
  expect(asked.toSorted()).toEqual(plain)
})

test('a page that needs its own cookies gets them in a separate window', async () => {
  const archived = await shown(headstrong.remembering, 'Remembering')
  await expect(archived.getByText('nothing', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'More' }).click()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('menuitem', { name: 'Open in new window' }).click()
  const own = await opened
  await expect(own.getByRole('heading', { name: 'Remembering' })).toBeVisible()
  await expect(own.getByText('script=1, server=1')).toBeVisible()
  // The window has no reference to the interface.
  expect(await own.evaluate(() => window.opener as unknown)).toBeNull()
  await own.close()
})

test('a page that uses a service worker gets a clean refusal', async () => {
  const archived = await shown(headstrong.lasting, 'Lasting')
  await expect(archived.locator('#worker')).not.toHaveText('')
  await expect(archived.locator('#worker')).not.toHaveText('registered')
  await expect(archived.locator('#socket')).toHaveText('closed')
})

const unshown: [string, string, string, RegExp][] = [
  ['a PDF', 'tides.pdf', 'PDF files are not shown here', /tides\.pdf · application\/pdf · 15.B$/],
  ['a download', 'tides.txt', 'This file is not shown here', /tides\.txt · text\/plain · 18.B$/],
]
for (const [what, name, title, facts] of unshown)
  test(`a note replaces ${what} and links to its record`, async () => {
    const back = page.getByRole('button', { name: 'Back', exact: true })
    const note = page.getByRole('status').filter({ has: page.getByRole('heading', { name: title }) })
    await shown(headstrong.papers, 'Papers')
    await goToArchived(page, `${headstrong.papers}${name}`)
    await expect(note.getByText(facts)).toBeVisible()
    await expect(page.locator('iframe[title="Archived page"]')).toBeHidden()
    // A repeated request is revalidated.
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(note.getByText(facts)).toBeHidden()
    await expect(note).toBeVisible()
    await expect(page.getByText('Loading the page…')).toBeHidden()
    await expectAccessible(page)
    await expect(note.getByRole('button', { name: 'Open in new window' })).toBeVisible()
    await note.getByRole('link', { name: 'Open record' }).click()
    await expect(page.getByText(`${headstrong.papers}${name}`).first()).toBeVisible()
    await page.goBack()
    await expect(note).toBeVisible()
    await back.click()
    await expect(archivedPage(page).getByRole('heading', { name: 'Papers' })).toBeVisible()
    await expect(note).toBeHidden()
  })

test('the same note replaces a PDF opened from a link', async () => {
  const archived = await shown(headstrong.papers, 'Papers')
  await archived.getByRole('link', { name: 'Tides' }).click()
  await expect(page.getByRole('heading', { name: 'PDF files are not shown here' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Page URL' })).toHaveValue(`${headstrong.papers}tides.pdf`)
})

test('and an answer without content, where a browser would stay on its page', async () => {
  await shown(headstrong.papers, 'Papers')
  await goToArchived(page, `${headstrong.papers}counted`)
  const note = page.getByRole('status').filter({ has: page.getByRole('heading', { name: 'Response without content' }) })
  await expect(note).toContainText('status 204')
  await expect(page.getByText('Loading the page…')).toBeHidden()
  await expect(note.getByRole('link', { name: 'Open record' })).toBeVisible()
  await expect(note.getByRole('button', { name: 'Open in new window' })).toHaveCount(0)
})

test('no resource is recorded as missing, and no bugs or page errors are reported', async () => {
  const misses = await loupe.serving.engine.services.missing.list({})
  expect(misses.map(({ url }) => url).filter((url) => !url.endsWith('/favicon.ico'))).toEqual([])
  loupe.expectNoBugs()
})
