/** The viewer with a page that consists of captures of several times and jobs: the view is selected and saved, every response is listed
 *  in its group and explained, the page's times are shown, other captures of it are found, a page is saved as an image, and several
 *  pages are open in tabs. This test makes the archive files. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { askOver } from '../../src-main/viewer/testing/viewerFixture.ts'
import { damagedFile } from '../sites/archiveFiles.ts'
import { harvestedFile, lighthouse, pictureFile } from '../sites/lighthouse.ts'
import { textOfPdf } from '../sites/pdfText.ts'
import {
  archivedPage,
  chooseJobs,
  expectAccessible,
  expectAccessibleInBoth,
  goToArchived,
  importFile,
  openLoupe,
  type OpenedLoupe,
} from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page

test.beforeAll(async () => {
  loupe = await openLoupe('viewer')
  page = loupe.page
  const files = { harvested: harvestedFile(), picture: pictureFile(), damaged: damagedFile('tides.test') }
  for (const [name, bytes] of Object.entries(files)) await importFile(loupe, `${name}.warc.gz`, bytes)
  // By now every job has ended.
  await expect(page.getByRole('table', { name: 'Jobs' })).toBeVisible()
  await page.reload()
})

test.afterAll(() => loupe.close())

const archived = () => archivedPage(page)
const goTo = (url: string) => goToArchived(page, url)
const resources = () => page.getByRole('list', { name: 'Resources of this page' })
const row = (url: string): Locator => resources().getByRole('listitem').filter({ hasText: url })

test('a selection of jobs, time and limit is opened and saved under a name', async () => {
  await page.getByRole('link', { name: 'Viewer', exact: true }).click()
  const form = page.getByRole('form', { name: 'Choose what to view' })
  await chooseJobs(form, 3, [1, 2])
  await form.getByRole('radio', { name: 'Show the capture nearest to a time' }).check()
  await form.getByLabel('Time (UTC)').fill('2011-05-03T12:00:00')
  await form.getByRole('textbox', { name: 'Maximum distance (days)' }).fill('5000')
  await form.getByRole('textbox', { name: 'Save this view as' }).fill('The lighthouse in 2011')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Open viewer' }).click()
  await expect(page.getByText('within 5,000 days · saved as “The lighthouse in 2011”')).toBeVisible()
  await goTo(lighthouse.page)
  await expect(archived().getByRole('heading', { name: 'Lighthouse 2011' })).toBeVisible()
  // The title of this capture, not that of the newest capture of the address.
  await expect(page.getByRole('button', { name: 'Lighthouse 2011', exact: true })).toBeVisible()
})

test('the badge lists unreadable records with their positions', async () => {
  await page.getByRole('button', { name: 'Incomplete: 2 findings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Missing from this view' })
  await expect(dialog.getByRole('link', { name: /^damaged\.warc\.gz at / }).first()).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('each response is in its group, with its time difference from the page and the reason for its group', async () => {
  for (const group of ['Missing 1', 'Errors 1', 'Inexact URL match 1', 'From another time 1', 'From other jobs 1'])
    await expect(resources().getByRole('button', { name: group })).toBeVisible()
  await expect(row(lighthouse.missing)).toContainText('these jobs came without a crawl log')
  await expect(row(lighthouse.error)).toContainText('404')
  await expect(row(lighthouse.script.asked)).toContainText(`replayed from ${lighthouse.script.captured}`)
  await expect(row(lighthouse.style)).toContainText('3 days older')
  await expect(row(lighthouse.picture)).toContainText('job 2')
  await expectAccessibleInBoth(page)
  await resources().getByRole('button', { name: 'Missing 1' }).click()
  await expect(row(lighthouse.missing)).toHaveCount(0)
  await resources().getByRole('button', { name: 'Missing 1' }).click()
  await page.getByRole('textbox', { name: 'Filter Resources of this page' }).fill('lamp.png')
  await expect(row(lighthouse.picture)).toBeVisible()
  await expect(row(lighthouse.style)).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Filter Resources of this page' }).clear()
})

test('the badge shows the time range of the resources and lists them by distance', async () => {
  await page.getByRole('button', { name: 'Capture times vary: −3 days to +20 seconds' }).click()
  await expect(page.getByRole('radio', { name: 'By time difference' })).toBeChecked()
  await expect(resources().getByRole('listitem').first()).toContainText(lighthouse.style)
})

test('an inexact match, a missing URL and a typed address are explained', async () => {
  await page.getByRole('button', { name: `Explain ${lighthouse.script.asked}` }).click()
  const drawer = page.getByRole('dialog', { name: 'How this response was chosen' })
  await expect(drawer.getByRole('article')).toContainText('a number that bypasses caches')
  await expect(drawer.getByRole('list', { name: 'Captures considered' })).toContainText('Used')
  await expectAccessibleInBoth(page)
  await ask(drawer, lighthouse.missing)
  await expect(drawer.getByRole('article', { name: lighthouse.missing })).toContainText(
    'this job came without a crawl log',
  )
  await ask(drawer, lighthouse.page)
  const headers = drawer.getByRole('table', { name: 'Response headers' })
  await expect(headers.getByRole('row', { name: /^X-Frame-Options DENY –$/ })).toBeVisible()
  await drawer
    .getByRole('link', { name: /^harvested\.warc\.gz at / })
    .first()
    .focus()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
})

test('another capture is found by year and day, and the page is shown as of its time', async () => {
  await page.getByRole('button', { name: '4 captures' }).click()
  const dialog = page.getByRole('dialog', { name: 'Captures of this URL' })
  await expect(dialog.getByRole('list', { name: 'Captures on 2011-05-03' }).getByRole('listitem')).toHaveCount(2)
  await expectAccessibleInBoth(page)
  await dialog.getByRole('button', { name: '2014: 1 capture' }).press('Enter')
  const day = dialog.getByRole('button', { name: 'January 20, 2014: 1 capture' })
  await expect(day).toHaveAttribute('aria-pressed', 'true')
  await dialog.getByRole('button', { name: 'Show the page as of 2014-01-20 09:30:00 UTC' }).press('Enter')
  await expect(archived().getByRole('heading', { name: 'Lighthouse 2014' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Page URL' })).toHaveValue(lighthouse.page)
  await expect(page.getByRole('button', { name: 'Lighthouse 2014', exact: true })).toBeVisible()
})

test('the page is saved as an image and as a PDF with its provenance', async () => {
  const { missing, viewer } = loupe.serving.engine.services
  const before = await missing.list({})
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Save page as image…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Page image' })
  await dialog.getByRole('button', { name: 'Image (PNG)' }).click()
  const image = await readFile(await savedIn(dialog, 'png'))
  const shownWidth = await page.locator('.archived-page iframe:not([hidden])').evaluate((frame) => frame.clientWidth)
  expect([image.toString('latin1', 1, 4), image.readUInt32BE(16)]).toEqual(['PNG', shownWidth])
  expect(image.includes('Captured 2014-01-20 09:30:00 UTC')).toBe(true)
  // White background, and the heading in the colour of its own style sheet.
  expect(await coloursOf(image)).toEqual(expect.arrayContaining(['255 255 255', '0 128 128']))
  await expectAccessibleInBoth(page)
  await dialog.getByRole('button', { name: 'PDF' }).click()
  const print = await readFile(await savedIn(dialog, 'pdf'))
  expect(print.toString('latin1', 0, 5)).toBe('%PDF-')
  expect(print.toString('latin1').trimEnd().endsWith('%%EOF')).toBe(true)
  expect(pagesOf(print)).toBeGreaterThanOrEqual(1)
  expect(textOfPdf(print)).toContain('Lighthouse 2014')
  expect(textOfPdf(print)).toContain('The keepers')
  // The browser that rendered them has been closed, and its requests are not listed as missing.
  expect([await viewer.own({}), await missing.list({})]).toEqual([[], before])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('a page of the list opens in its own tab, and each tab has its own history', async () => {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Pages in view…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pages in view' })
  const others = dialog.getByRole('row', { name: /Lighthouse 20|Tide table/ })
  await expect(others.first()).toBeVisible()
  const filter = dialog.getByRole('textbox', { name: 'Part of the URL or title' })
  // No address contains these words; the title is read shortly after the list is requested.
  await filter.fill('tide table')
  await expect(others).toHaveText([/Tide table/])
  await expect(dialog.getByText('Reading page titles')).toHaveCount(0)
  await filter.fill('keepers')
  await expect(others).toHaveCount(0)
  await expect(dialog.getByRole('row', { name: /The keepers/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await goTo('http://tides.test/')
  await expect(archived().getByRole('heading', { name: 'Tide table' })).toBeVisible()

  const tabs = page.getByRole('list', { name: 'Open pages' })
  await page.keyboard.press('Control+t')
  await expect(tabs.getByRole('listitem')).toHaveCount(2)
  await expect(page.getByRole('heading', { name: 'No page is open' })).toBeVisible()
  await page.getByRole('button', { name: 'All pages…' }).click()
  await dialog.getByRole('button', { name: lighthouse.second }).click()
  await expect(tabs.getByRole('listitem')).toHaveCount(3)
  await expect(archived().getByRole('heading', { name: 'The keepers' })).toBeVisible()
  await expect(tabs.getByRole('button', { name: 'Tide table', exact: true })).toBeVisible()

  await tabs.getByRole('button', { name: 'Tide table', exact: true }).click()
  await expect(page.getByRole('combobox', { name: 'Page URL' })).toHaveValue('http://tides.test/')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(archived().getByRole('heading', { name: 'Lighthouse 2014' })).toBeVisible()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(archived().getByRole('heading', { name: 'Tide table' })).toBeVisible()
  // The page is requested again, and the window with its tabs remains.
  const loadedAt = () =>
    archived()
      .getByRole('heading', { name: 'Tide table' })
      .evaluate(() => performance.timeOrigin)
  const before = await loadedAt()
  await page.keyboard.press('Control+r')
  await expect.poll(loadedAt).not.toBe(before)
  await expect(tabs.getByRole('listitem')).toHaveCount(3)
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(archived().getByRole('heading', { name: 'Lighthouse 2014' })).toBeVisible()
  await page.keyboard.press('Control+Shift+Tab')
  await expect(page.getByRole('button', { name: 'Back', exact: true })).toHaveAttribute('aria-disabled', 'true')
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Control+w')
  await expect(tabs.getByRole('listitem')).toHaveCount(2)
})

test('another browser gets a viewing session, which starts at the current page and lasts until it is ended', async () => {
  await goTo('http://tides.test/')
  await expect(archived().getByRole('heading', { name: 'Tide table' })).toBeVisible()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'View in another browser…' }).click()
  const dialog = page.getByRole('dialog', { name: 'View in another browser' })
  await dialog.getByRole('button', { name: 'Start viewing session' }).click()
  const [viewing] = await expectOwn(1)
  const shown = dialog.getByRole('article', { name: `Session ${viewing!.user}` })
  await expect(shown).toContainText(viewing!.password)
  expect(new URL(viewing!.enter).searchParams.get('url')).toBe('http://tides.test/')
  await expect(shown).toContainText(`--proxy-server=http://${loupe.serving.proxy}`)
  await expectAccessibleInBoth(page)
  const saveMisses = shown.getByRole('button', { name: 'Save missing resources as CSV' })
  await saveMisses.click()
  await expect(shown.getByRole('status')).toHaveText('No missing resources')
  await askOver(loupe.serving.engine.viewer, 'http://tides.test/never,asked', { as: viewing! })
  const saving = page.waitForEvent('download')
  await saveMisses.click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe(`missing-${viewing!.user}.csv`)
  const [, ...missed] = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n')
  expect(missed).toEqual([
    expect.stringMatching(new RegExp(`^"http://tides\\.test/never,asked",.*,GET,1,.*,${viewing!.user}$`)),
  ])
  await shown.getByRole('button', { name: 'End session' }).click()
  await expect(shown).toHaveCount(0)
  await expectOwn(0)
  await page.keyboard.press('Escape')
})

test('part of an address is typed, and a suggestion is chosen by keyboard and by mouse', async () => {
  const address = page.getByRole('combobox', { name: 'Page URL' })
  const options = page.getByRole('option')
  await address.fill('keepers')
  await expect(options).toHaveText([new RegExp(`^${lighthouse.second} `)])
  await expectAccessible(page)
  await address.press('ArrowDown')
  await address.press('Enter')
  await expect(archived().getByRole('heading', { name: 'The keepers' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Page URL' })).toHaveValue(lighthouse.second)
  await expect(options).toHaveCount(0)

  await address.fill('tides')
  await page.getByRole('option', { name: /^http:\/\/tides\.test\/ / }).click()
  await expect(archived().getByRole('heading', { name: 'Tide table' })).toBeVisible()
  await expect(address).toHaveValue('http://tides.test/')
})

test('errors of the view are listed, and missing resources are recorded only when that is turned on', async () => {
  await page.getByRole('tab', { name: /^All errors/ }).click()
  await expect(page.getByRole('list', { name: 'Errors in this view' })).toContainText(lighthouse.error)
  await page.getByRole('tab', { name: /^All missing/ }).click()
  await page.getByRole('switch', { name: 'Record missing resources' }).click()
  const isRecording = async () => (await loupe.serving.engine.services.viewer.current({}))?.isRecording
  await expect.poll(isRecording).toBe(false)
  await page.getByRole('switch', { name: 'Record missing resources' }).click()
  await expect.poll(isRecording).toBe(true)
})

test('a saved selection is opened with one click, and deleted with another', async () => {
  await page.getByRole('button', { name: 'Jobs 1, 2, 3' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose what to view' })
  await dialog.getByRole('button', { name: 'Open The lighthouse in 2011' }).click()
  await expect(page.getByText('saved as “The lighthouse in 2011”')).toBeVisible()
  await page.getByRole('button', { name: 'Jobs 1, 2, 3' }).click()
  await expectAccessibleInBoth(page)
  await dialog.getByRole('button', { name: 'Delete The lighthouse in 2011' }).click()
  await expect(dialog.getByRole('list', { name: 'Saved views' })).toHaveCount(0)
})

test('without inexact matches the substituted resources are missing, and the view says so', async () => {
  const dialog = page.getByRole('dialog', { name: 'Choose what to view' })
  const exact = dialog.getByRole('checkbox', { name: 'Exact URL matches only' })
  await exact.check()
  await dialog.getByRole('button', { name: 'Open viewer' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('exact URL matches only', { exact: false })).toBeVisible()
  await goTo(lighthouse.page)
  await expect(resources().getByRole('button', { name: 'Missing 2' })).toBeVisible()
  await expect(resources().getByRole('button', { name: /^Inexact/ })).toHaveCount(0)
  await expect(row(lighthouse.script.asked)).toContainText('Missing')
  await page.getByRole('button', { name: 'Jobs 1, 2, 3' }).click()
  await expect(exact).toBeChecked()
  await exact.uncheck()
  await dialog.getByRole('button', { name: 'Open viewer' }).click()
  await expect(resources().getByRole('button', { name: 'Inexact URL match 1' })).toBeVisible()
})

test('a proxy command that changes the view leaves the page unchanged, shows a note, and reloads it on request', async () => {
  await goTo(lighthouse.page)
  const heading = archived().getByRole('heading', { name: /^Lighthouse/ })
  await expect(heading).toHaveText('Lighthouse 2011')
  const note = page.getByRole('alert', { name: 'The view was changed' })
  await expect(note).toHaveCount(0)
  const { viewer, commandHost } = loupe.serving.engine
  const command = 'changeIndex?jobID=1&label=one&returnURL=http://lighthouse.test/'
  const { commandUser: user, commandToken: password } = await loupe.serving.engine.services.system.about({})
  const got = await askOver(viewer, `http://${commandHost}/${command}`, { as: { user, password } })
  expect(got.status).toBe(303)
  await expect(note).toBeVisible()
  await expect(heading).toHaveText('Lighthouse 2011')
  await expectAccessibleInBoth(page)
  await note.getByRole('button', { name: 'Reload' }).click()
  await expect(heading).toHaveText('Lighthouse 2014')
  await expect(note).toHaveCount(0)
})

test('a response links to its record', async () => {
  await page.getByRole('tab', { name: /^This page/ }).click()
  const answers = await loupe.serving.engine.services.viewer.answers({})
  const { file, offset } = answers.findLast(({ url }) => url === lighthouse.style)!
  await row(lighthouse.style).getByRole('link', { name: file! }).click()
  await expect(page.getByRole('heading', { level: 1, name: file! })).toBeVisible()
  const record = page.getByRole('article', { name: `response ${offset}`, exact: true })
  await expect(record).toContainText(lighthouse.style)
  await expect(record).toContainText('h1 { color: teal }')
  await page.goBack()
  await expect(archived().getByRole('heading', { name: /^Lighthouse/ })).toBeVisible()
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())

async function ask(drawer: Locator, url: string): Promise<void> {
  const address = drawer.getByRole('textbox', { name: 'URL to explain' })
  await address.fill(url)
  await address.press('Enter')
}

/** The path of the saved image, expected in the folder `pictures`, with the page's host and time in its name. */
async function savedIn(dialog: Locator, ending: string): Promise<string> {
  const saved = dialog.getByRole('alert', { name: 'Image saved' }).locator('pre')
  await expect(saved).toHaveText(join(loupe.archive, 'pictures', `lighthouse.test-20140120T093000Z.${ending}`), {
    timeout: 120_000,
  })
  return (await saved.textContent()) ?? ''
}

/** The number of pages. Chromium writes page objects as plain text; only their content is compressed. */
function pagesOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0
}

/** The distinct colours of an image, each as red, green and blue. */
function coloursOf(png: Buffer): Promise<string[]> {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
    canvas?.drawImage(picture, 0, 0)
    const { data } = canvas!.getImageData(0, 0, picture.width, picture.height)
    const colours = new Set<string>()
    for (let at = 0; at < data.length; at += 4) colours.add(data.subarray(at, at + 3).join(' '))
    return [...colours]
  }, png.toString('base64'))
}

async function expectOwn(count: number) {
  const { own } = loupe.serving.engine.services.viewer
  await expect.poll(async () => (await own({})).length).toBe(count)
  return own({})
}
