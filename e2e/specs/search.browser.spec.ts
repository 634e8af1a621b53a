/** Search in a real browser: a harvest with a delivery plan that indexes is searched while it runs; a result opens in the viewer at its capture;
 *  filters edit the query; archived markup stays text. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { soundFile } from '../sites/archiveFiles.ts'
import { slow, startLibrary, type Library } from '../sites/library.ts'
import { openPackageReader, pictureIn } from './packageReader.ts'
import { archivedPage, expectAccessibleInBoth, importFile, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
let site: Library

const plan = `name = "text"

[[steps]]
name = "scan"
kind = "captures"
settings = { jobs = [1] }
intervalSeconds = 1

[[steps]]
name = "index"
kind = "textIndex"
after = ["scan"]
`

test.beforeAll(async () => {
  site = await startLibrary()
  loupe = await openLoupe('search')
  page = loupe.page
  await page.setViewportSize({ width: 1280, height: 900 })
})
test.afterAll(async () => {
  await loupe.close()
  await site.close()
})

const field = () => page.getByRole('searchbox', { name: 'Search the text of archived documents' })
const results = () => page.getByRole('region', { name: 'Results' }).getByRole('listitem')
const result = (name: string | RegExp) => results().filter({ has: page.getByRole('heading', { name }) })

async function search(query: string): Promise<void> {
  await field().fill(query)
  await field().press('Enter')
}

/** The text of the file that a button saves. */
async function savedBy(button: string): Promise<string> {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  return readFile(await (await saving).path(), 'utf8')
}

test('with nothing indexed the screen says what to do next', async () => {
  await page.getByRole('link', { name: 'Search', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No text has been indexed yet' })).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('a job is searched while it runs', async () => {
  const { harvests, deliveries, jobs } = loupe.serving.engine.services
  await harvests.create({ seeds: [`${site.origin}/`], delayMs: 0, resolve: site.resolve })
  await deliveries.save({ toml: plan })
  await deliveries.run({ name: 'text' })
  await expect.poll(async () => (await loupe.serving.engine.services.search.status({})).contents).toBe(8)
  await search('fossils')
  await expect(result('Fossils of the coast')).toBeVisible()
  await expect(page).toHaveURL(/#\/search\?q=fossils$/)
  expect((await jobs.show({ job: 1 })).ended).toBeNull()
  await expect(result('Fossils of the coast')).toContainText('Can be opened when the job has ended')
  await expect(result('Fossils of the coast').getByRole('link', { name: 'Record' })).toHaveCount(0)
})

test('equal documents are one result, with the words marked', async () => {
  await expect(results()).toHaveCount(3)
  await expect(result('Fossils of the coast')).toContainText('2 captures of 2 URLs with this content')
  await expect(result('Fossils of the coast').locator('mark').first()).toHaveText(/fossils/i)
})

test('archived markup is shown as text and does nothing', async () => {
  await expect(result(/<img src=x onerror=/)).toContainText('<b>bold fossils</b>')
  await expect(page).toHaveTitle(/Search – Loupe$/)
  await expect(results().locator('img, script, b')).toHaveCount(0)
})

test('a filter edits the query, and back returns to the one before', async () => {
  await page.getByRole('region', { name: 'Language' }).getByRole('button', { name: 'en' }).click()
  await expect(field()).toHaveValue('fossils lang:en')
  await expect(page.getByRole('button', { name: 'en', pressed: true })).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'en', pressed: true }).click()
  await expect(field()).toHaveValue('fossils')
  await page.goBack()
  await expect(field()).toHaveValue('fossils lang:en')
})

for (const [language, query, title] of [
  ['Arabic', 'احافير', 'المتحف على الساحل'],
  ['Hebrew', 'מאובנים', 'המוזיאון'],
  ['Japanese', '化石', '海岸の博物館'],
] as const)
  test(`a text in ${language} is found`, async () => {
    await search(query)
    await expect(result(title)).toBeVisible()
    await expect(results()).toHaveCount(1)
  })

test('a misspelled word gets a suggestion', async () => {
  await search('amonites')
  await page.getByRole('button', { name: 'ammonites' }).click()
  await expect(result('Fossils of the coast')).toBeVisible()
})

test('a query that is not understood says why', async () => {
  await search('status:new')
  await expect(page.getByRole('alert')).toContainText('needs an HTTP status such as 404 or 4xx')
  await search('no such words')
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
})

test('when the job has ended, a result opens in the viewer at its capture', async () => {
  site.letGo()
  const { jobs, search: engine } = loupe.serving.engine.services
  await expect.poll(async () => (await jobs.show({ job: 1 })).ended).not.toBeNull()
  await expect.poll(async () => (await engine.find({ query: 'amber' })).total).toBe(1)
  await search('amber')
  await result('The last page').getByRole('link', { name: 'The last page', exact: true }).click()
  await expect(archivedPage(page).getByRole('heading', { name: 'The last page' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Page URL' })).toHaveValue(slow)
  const [captured] = await loupe.serving.engine.services.viewer.captures({ url: slow })
  const second = (captured?.captured ?? '').slice(0, 19)
  await expect(page.getByText(`Captured ${second.replace('T', ' ')} UTC`)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`at=${encodeURIComponent(second)}`))
})

test('the record of a result opens', async () => {
  await page.goBack()
  await result('The last page').getByRole('link', { name: 'Record of The last page' }).click()
  await expect(page.getByText('It came late, and speaks of amber.').first()).toBeVisible()
})

test('jobs are added to the index from the screen', async () => {
  const { search: engine } = loupe.serving.engine.services
  await loupe.serving.engine.services.deliveries.stop({ name: 'text' })
  await engine.drop({ jobs: [1] })
  await page.getByRole('link', { name: 'Search', exact: true }).click()
  await page.getByRole('button', { name: 'Add jobs…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Text index' })
  await dialog.getByRole('combobox', { name: 'Jobs to add' }).click()
  await page.getByRole('option', { name: /^Job 1:/ }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Add to the index' }).click()
  await expect(dialog.getByText('10 documents added.')).toBeVisible()
  await expectAccessibleInBoth(page)
  await expect(dialog.getByRole('table', { name: 'Jobs in the text index' })).toContainText('Job 1')
  await page.keyboard.press('Escape')
  await search('host:library.test type:html')
  await expect(results()).toHaveCount(8)
  loupe.expectNoBugs()
})

test('bars show the results over time, and one narrows the query to its month', async () => {
  const job = await importFile(loupe, 'tides.warc.gz', soundFile('tides.test'))
  await loupe.serving.engine.services.search.build({ jobs: [job] })
  await search('type:html')
  const bars = page.getByRole('group', { name: 'Results over time' })
  await expect(bars.getByRole('button')).toHaveCount(2)
  await bars.getByRole('button', { name: /^2024-05:/ }).click()
  await expect(field()).toHaveValue('type:html after:2024-05 before:2024-06')
  await expect(result(/Tide/)).toBeVisible()
  await search('type:html')
  await expectAccessibleInBoth(page)
})

test('the words of the results are drawn and listed, and one narrows the query', async () => {
  await search('fossils')
  await page.getByRole('button', { name: 'Words of the results' }).click()
  const words = page.getByRole('table', { name: 'Words of the results' })
  await expect(words.getByRole('row')).not.toHaveCount(0)
  await expect(words.getByRole('button', { name: 'fossils', exact: true })).toHaveCount(0)
  const picture = page.getByRole('img', { name: 'Words of the results, larger the more they tell' })
  const first = await words.getByRole('row').nth(1).getByRole('button').textContent()
  await expect(picture).toContainText(first ?? '')
  await expectAccessibleInBoth(page)
  await words.getByRole('button', { name: first ?? '', exact: true }).click()
  await expect(field()).toHaveValue(`fossils ${first}`)
  await expect(results()).not.toHaveCount(0)
})

test('the matches are saved as CSV and JSON', async () => {
  await search('fossils')
  await expect(results()).toHaveCount(3)
  expect(await savedBy('Save as CSV')).toMatch(
    /^title,url,time,job,.*\r\nFossils of the coast,http:\/\/library\.test\/(fossils|same)\.html,/,
  )
  const rows = JSON.parse(await savedBy('Save as JSON')) as { title: string }[]
  expect(rows).toHaveLength(3)
  expect(rows[0]).toMatchObject({ title: 'Fossils of the coast', captures: 2, urls: 2 })
})

test('the matches are exported with the pictures of their pages, and another reader shows them', async () => {
  await search('fossils')
  await page.getByRole('button', { name: 'Export as WACZ or WARC…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await expect(dialog).toContainText('Exports the matches of "fossils" in the whole archive')
  await expect(dialog.getByRole('radio')).toHaveCount(2)
  await expectAccessibleInBoth(page)
  await dialog.getByRole('textbox', { name: 'Output file' }).fill(join(loupe.folder, 'fossils.wacz'))
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(dialog.getByText('4 captures match; 1 more is needed to display the pages.')).toBeVisible()
  await expect(dialog.getByText(/^Export \d+: matches of "fossils" in the whole archive$/)).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Escape')
  const reader = await openPackageReader(loupe.folder)
  try {
    expect(await reader.added('fossils')).toBe('added')
    const urls = (await reader.pagesOf('fossils')).map(({ url }) => url)
    const names = ['fossils', 'markup', 'rivers', 'same']
    expect(urls.toSorted()).toEqual(names.map((name) => `${site.origin}/${name}.html`))
    const { frame } = await reader.framed('fossils', `${site.origin}/fossils.html`)
    await expect(frame.locator('h1')).toHaveText('Fossils of the coast')
    expect(await pictureIn(frame, 'An ammonite')).toEqual({ width: 240, height: 160 })
    expect((await reader.framed('fossils', `${site.origin}/arabic.html`)).status).toBe(404)
  } finally {
    await reader.close()
  }
})

test('a search is saved, opened and deleted', async () => {
  await search('fossils lang:en')
  await page.getByRole('button', { name: 'Saved searches…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Saved searches' })
  await expect(dialog.getByText('No search has been saved yet.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name of this search' }).fill('Fossils in English')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('listitem')).toContainText('fossils lang:en')
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Escape')
  await search('amber')
  await page.getByRole('button', { name: 'Saved searches…' }).click()
  await dialog.getByRole('link', { name: 'Fossils in English' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(field()).toHaveValue('fossils lang:en')
  await expect(results()).toHaveCount(3)
  await page.getByRole('button', { name: 'Saved searches…' }).click()
  await dialog.getByRole('button', { name: 'Delete “Fossils in English”' }).click()
  await expect(dialog.getByText('No search has been saved yet.')).toBeVisible()
  await page.keyboard.press('Escape')
})

test('URLs are searched, and each opens at its capture', async () => {
  await page.getByRole('navigation', { name: 'What is searched' }).getByRole('link', { name: 'URLs' }).click()
  const urls = page.getByRole('searchbox', { name: 'Search the URLs of captures' })
  const rows = page.getByRole('table', { name: 'Results' }).getByRole('row')
  await urls.fill('library.test')
  await urls.press('Enter')
  // The heading, the pages, a picture, and robots.txt.
  await expect(rows).toHaveCount(1 + 9 + 1 + 1)
  await page.getByRole('combobox', { name: 'Match' }).click()
  await page.getByRole('option', { name: 'Pattern with *' }).click()
  await expect(page.getByRole('heading', { name: 'No URLs' })).toHaveCount(0)
  await urls.fill('*/s*.html')
  await urls.press('Enter')
  await expect(rows).toHaveCount(1 + 2)
  await expect(page).toHaveURL(/in=urls&q=\*%2Fs\*.html&match=pattern$/)
  await expectAccessibleInBoth(page)
  expect(await savedBy('Save as CSV')).toContain(`\r\n${slow},1,`)
  await page.getByRole('link', { name: slow, exact: true }).click()
  await expect(archivedPage(page).getByRole('heading', { name: 'The last page' })).toBeVisible()
  await page.goBack()
  await expect(rows).toHaveCount(1 + 2)
  await page.getByRole('button', { name: `Add ${slow} to Missing` }).click()
  await page.getByRole('link', { name: `Added ${slow} to the missing URLs of job 1: show them` }).click()
  const missing = page.getByRole('row').filter({ hasText: slow })
  await expect(missing).toContainText('captured, to be captured again')
  await expect(missing).toContainText('Open')
  await page.goBack()
  await expect(rows).toHaveCount(1 + 2)
  await urls.fill('nowhere.test/*')
  await urls.press('Enter')
  await expect(page.getByRole('heading', { name: 'No URLs' })).toBeVisible()
  loupe.expectNoBugs()
})
