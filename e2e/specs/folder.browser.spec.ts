/** A folder is harvested, and its documents are shown unchanged in the viewer: pages with what they load, the listings of its
 *  folders, and texts. Documents that a browser cannot show are one click away as records. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, type Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInBoth, openJobTab, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
let papers: string

test.beforeAll(async () => {
  loupe = await openLoupe('folder')
  page = loupe.page
  papers = join(loupe.folder, 'pa pers')
  await mkdir(join(papers, 'deep'), { recursive: true })
  await writeFile(
    join(papers, 'a page.html'),
    `<!doctype html><title>A page</title><h1>A page</h1><img src="deep/dot.svg" alt="dot"><a href="deep/two.html">Two</a>
    <a href="none.html">None</a>
    <script>document.querySelector('h1').textContent += ' from ' + location.pathname.split('/').at(-1)</script>`,
  )
  await writeFile(join(papers, 'deep', 'two.html'), '<!doctype html><title>Two</title><p>The second page.')
  await writeFile(
    join(papers, 'deep', 'dot.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18" fill="teal"/></svg>',
  )
  await writeFile(join(papers, 'words – 100%.txt'), 'Wörter')
  await writeFile(join(papers, 'data.bin'), Buffer.alloc(3_000, 7))
})
test.afterAll(() => loupe.close())

const documents = () => page.getByRole('table', { name: 'URLs' })
const archived = () => page.frameLocator('iframe[title="Archived page"]')
const address = () => page.getByRole('combobox', { name: 'Page URL' })
const fileUrl = (...names: string[]) => pathToFileURL(join(papers, ...names)).href

async function toJob(): Promise<void> {
  await page.goto(page.url().replace(/#.*/, '#/jobs/1/urls'))
  await expect(documents()).toBeVisible()
}

test('its URLs link to their captures', async () => {
  await page.getByRole('button', { name: 'New harvest' }).click()
  await page.getByRole('radio', { name: 'Folder' }).check()
  await page.getByRole('textbox', { name: 'Folders' }).fill(papers)
  await expect(page.getByRole('textbox', { name: 'User agent' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Start harvest' }).click()
  await openJobTab(page, 'Log')
  await expect(page.getByRole('list', { name: 'Log' })).toContainText('All files are stored in all replicas.')
  // Only the archive can answer from now on.
  await rm(papers, { recursive: true })
  await openJobTab(page, 'URLs')
  await expect(documents().getByRole('link')).toHaveCount(7)
  await expectAccessibleInBoth(page)
})

test('a page is shown with its image and script, and its links work', async () => {
  await documents()
    .getByRole('link', { name: /a%20page\.html$/ })
    .click()
  await expect(archived().getByRole('heading', { name: 'A page from a%20page.html' })).toBeVisible()
  await expect(address()).toHaveValue(fileUrl('a page.html'))
  const picture = archived().getByRole('img', { name: 'dot' })
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40)
  await archived().getByRole('link', { name: 'Two' }).click()
  await expect(archived().getByText('The second page.')).toBeVisible()
  await expect(address()).toHaveValue(fileUrl('deep', 'two.html'))
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await archived().getByRole('link', { name: 'None' }).click()
  await expect(archived().getByRole('heading', { name: 'Not in the archive' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Missing 1', exact: true })).toBeVisible()
})

test('the page of a folder links to its files, and an address can be typed', async () => {
  await address().fill(`${fileUrl()}/`)
  await address().press('Enter')
  await expect(archived().getByRole('heading', { name: 'pa pers' })).toBeVisible()
  await archived().getByRole('link', { name: 'words – 100%.txt' }).click()
  await expect(archived().getByText('Wörter')).toBeVisible()
  await expect(address()).toHaveValue(fileUrl('words – 100%.txt'))
  await archived()
    .locator('body')
    .evaluate(() => undefined)
  await expectAccessible(page)
})

test('files that no browser shows are shown as records', async () => {
  await toJob()
  await documents()
    .getByRole('link', { name: /data\.bin$/ })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('.warc')
  await expect(page.getByText(fileUrl('data.bin')).first()).toBeVisible()
  await page.goBack()
  await expect(documents()).toBeVisible()
  await page.goto(page.url().replace(/#.*/, '#/jobs/1/capture?url=file%3A%2F%2F%2Fnowhere'))
  await expect(page.getByText('No capture of this URL')).toBeVisible()
  await expectAccessibleInBoth(page)
  loupe.expectNoBugs()
})
