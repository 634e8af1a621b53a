/** Archives of other tools through the interface in a real browser: imported by choosing and by dropping, their problems, each of
 *  their records, and exported again as a new file. This test makes the files and the damage in them. */
import { access, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, expect, test, type Page } from '@playwright/test'
import { findChromium } from '../../src-main/shells/server/chromium.ts'
import { damagedFile, page as tideTable, pictureSize, soundFile } from '../sites/archiveFiles.ts'
import { expectAccessible, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

const original = damagedFile('tides.test')
let loupe: OpenedLoupe
let page: Page

test.beforeAll(async () => {
  loupe = await openLoupe('importing', async (folder) => {
    await writeFile(join(folder, 'damaged.warc.gz'), original)
    await writeFile(join(folder, 'notes.txt'), 'nothing that was ever archived')
  })
  page = loupe.page
})

test.afterAll(() => loupe.close())

test('files are chosen, reviewed and imported', async () => {
  await page.getByRole('button', { name: 'Import files' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import files' })
  await expect(dialog.getByRole('button', { name: 'Choose files…' })).toBeFocused()
  await choose(['damaged.warc.gz', 'notes.txt'])
  const gathered = dialog.getByRole('list', { name: 'Files to import' })
  await expect(gathered.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Remove notes.txt' }).click()
  await expect(gathered.getByRole('listitem')).toHaveCount(1)
  await choose(['notes.txt'])
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Job 1: / })).toBeVisible()
})

test('the job lists which files were imported and which were not', async () => {
  const files = page.getByRole('table', { name: 'Imported files' })
  await expect(files.getByRole('row').filter({ hasText: 'damaged.warc.gz' })).toContainText('Imported')
  await expect(files.getByRole('row').filter({ hasText: 'notes.txt' })).toContainText('Rejected')
  await expect(page.getByRole('list', { name: 'Notes' })).toContainText('notes.txt')
  await expect(page.getByRole('link', { name: 'Open in viewer' })).toBeVisible()
  await expect.poll(() => readdir(join(loupe.archive, 'incoming'))).toEqual([])
  expect(await readFile(join(loupe.folder, 'damaged.warc.gz'))).toEqual(original)
  await expectAccessible(page)
})

test('findings are grouped by rule, filtered by file and severity, and saved', async () => {
  const ofFile = page.getByRole('table', { name: 'Imported files' }).getByRole('button', { name: /^Show findings/ })
  await ofFile.first().click()
  await expect(page.getByRole('combobox', { name: 'File with findings' })).toHaveValue('damaged.warc.gz')
  const findings = page.getByRole('list', { name: 'Findings' })
  const digest = findings.getByRole('article', { name: 'Payload digest wrong' })
  await expect(digest).toContainText('Error')
  await expect(digest).toContainText('WARC 1.1')
  await expect(digest).toContainText('once')
  await page.getByRole('radiogroup', { name: 'Severity' }).getByText(/^Info/).click()
  await expect(digest).toBeHidden()
  await page
    .getByRole('radiogroup', { name: 'Severity' })
    .getByText(/^Errors/)
    .click()
  const saving = page.waitForEvent('download')
  await page.getByRole('region', { name: 'Findings' }).getByRole('button', { name: 'Save as CSV' }).click()
  const saved = await readFile(await (await saving).path(), 'utf8')
  expect(saved.split('\r\n')[0]).toBe('file,record,offset,severity,rule,clause,text,means')
  expect(saved).toMatch(/^damaged\.warc\.gz,2,\d+,error,payloadDigestWrong,/m)
  await digest.getByRole('button', { name: 'Show occurrences' }).click()
  const places = page.getByRole('table', { name: 'Occurrences: Payload digest wrong' })
  await expect(places.getByRole('row').nth(1)).toContainText('damaged.warc.gz')
  await expectAccessible(page)
})

test('a finding links to its record: headers, digest verdicts, and findings', async () => {
  await page
    .getByRole('link', { name: /^Inspect record at/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'damaged.warc.gz' })).toBeVisible()
  const header = page.getByRole('table', { name: 'WARC header' })
  await expect(header.getByRole('row', { name: /^WARC-Target-URI/ })).toContainText('http://tides.test/')
  await expect(page.getByRole('table', { name: 'HTTP header' })).toContainText('text/html')
  const digests = page.getByRole('table', { name: 'Digests' })
  await expect(digests.getByRole('row', { name: /^Block/ })).toContainText('Match')
  await expect(digests.getByRole('row', { name: /^Payload/ })).toContainText('Mismatch')
  await expect(page.getByRole('article').getByText('Error: Payload digest wrong')).toBeVisible()
  await expect(page.getByRole('article')).toContainText('ONE, TWO')
  await expectAccessible(page)
})

test('archived markup is text here, never a part of our page', async () => {
  const text = page.getByLabel('Text', { exact: true }).locator('visible=true').last()
  await expect(text).toContainText(tideTable)
  await expect(page.getByRole('heading', { name: 'Tide table' })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Hex' }).click()
  await expect(page.getByLabel('Hex', { exact: true }).last()).toContainText('00000000  3c 21 64 6f 63 74 79 70  65')
})

test('records can be browsed one by one, and an image is shown', async () => {
  await page.getByRole('link', { name: 'Next record' }).click()
  const current = page.getByRole('list', { name: 'Records' }).locator('a[aria-current="true"]')
  await expect(current).toContainText('image/png')
  await expect(page.getByRole('table', { name: 'Digests' })).not.toContainText('Mismatch')
  await expect(page.getByText('No problems found in this record')).toBeVisible()
  const image = page.frameLocator('iframe[title^="Archived image"]').locator('img')
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(pictureSize.width)
  await expectAccessible(page)
})

test('records can be filtered by type, and an offset entered', async () => {
  await page.getByRole('combobox', { name: 'Record type' }).click()
  await page.getByRole('option', { name: 'warcinfo' }).click()
  const records = page.getByRole('list', { name: 'Records' }).getByRole('listitem')
  await expect(records).toHaveCount(1)
  await page.getByRole('textbox', { name: 'Offset' }).fill('0')
  await page.getByRole('button', { name: 'Go' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'warcinfo' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Offset' }).fill('7')
  await page.getByRole('button', { name: 'Go' }).click()
  await expect(page.getByRole('alert')).toContainText('7')
})

test('files dropped anywhere open the import; a valid file has no findings', async () => {
  await page.getByRole('link', { name: 'Archive', exact: true }).click()
  const bytes = soundFile('calm.test').toString('base64')
  const dropped = await page.evaluateHandle((base64) => {
    const transfer = new DataTransfer()
    const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    transfer.items.add(new File([content], 'calm sea.warc.gz'))
    return transfer
  }, bytes)
  await page.dispatchEvent('main', 'dragenter', { dataTransfer: dropped })
  await expect(page.getByText('Drop to import')).toBeVisible()
  await page.dispatchEvent('main', 'drop', { dataTransfer: dropped })
  await expect(page.getByText('Drop to import')).toBeHidden()
  const dialog = page.getByRole('dialog', { name: 'Import files' })
  await expect(dialog.getByRole('list', { name: 'Files to import' })).toContainText('calm sea.warc.gz')
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Job 2: / })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open in viewer' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No problems found' })).toBeVisible()
})

test('imported captures can be viewed, and a response in the viewer links to its record', async () => {
  await page.getByRole('link', { name: 'Open in viewer' }).click()
  const archived = page.frameLocator('iframe[title="Archived page"]')
  await expect(archived.getByRole('heading', { name: 'Tide table' })).toBeVisible()
  await page.getByRole('list', { name: 'Resources of this page' }).getByRole('link').first().click()
  await expect(page.getByRole('table', { name: 'WARC header' })).toContainText('http://calm.test/')
})

test('jobs are selected and exported into one new file, which is compared with the archive', async () => {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('checkbox', { name: /^Select job 1:/ }).check()
  await page.getByRole('checkbox', { name: /^Select job 2:/ }).check()
  await page.getByRole('button', { name: 'Export 2 jobs' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await expect(dialog.getByRole('textbox', { name: 'Output file' })).toHaveValue(/exports.jobs-1-2-.*\.wacz$/)
  await dialog.getByRole('radio', { name: 'WARC', exact: true }).check()
  await expect(dialog.getByRole('textbox', { name: 'Output file' })).toHaveValue(/\.warc\.gz$/)
  const path = join(loupe.folder, 'out.warc.gz')
  await dialog.getByRole('textbox', { name: 'Output file' }).fill(path)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(dialog.getByText(/^Verified: \d+ records match/)).toBeVisible()
  await access(path)
  await expectAccessible(page)
})

test('an existing file is not overwritten, and a message says so', async () => {
  const dialog = page.getByRole('dialog', { name: 'Export' })
  const path = dialog.getByRole('textbox', { name: 'Output file' })
  await path.fill(join(loupe.folder, 'out.warc.gz'))
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(path).toHaveAccessibleDescription(/out\.warc\.gz already exists/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(dialog).toBeHidden()
})

test('both dialogs have keys and menu entries', async () => {
  await page.keyboard.press('Control+i')
  await expect(page.getByRole('dialog', { name: 'Import files' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+e')
  await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: /^Import…/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: /^Import…/ }).click()
  await expect(page.getByRole('dialog', { name: 'Import files' })).toBeVisible()
  await page.keyboard.press('Escape')
})

test('a stopped upload leaves nothing in the archive', async () => {
  await page.evaluate(() => {
    const part = new Blob([new Uint8Array(32 * 1024 * 1024)])
    const transfer = new DataTransfer()
    transfer.items.add(new File(Array<Blob>(40).fill(part), 'endless.warc'))
    document.querySelector('main')?.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true }))
  })
  const dialog = page.getByRole('dialog', { name: 'Import files' })
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog.getByText('Uploading endless.warc')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeVisible()
  // The server removes the file when it notices that the connection has ended.
  await expect.poll(() => readdir(join(loupe.archive, 'incoming'))).toEqual([])
  await dialog.getByRole('button', { name: 'Remove endless.warc' }).click()
  await page.keyboard.press('Escape')
})

test('a browser that does not use the viewer proxy shows a message instead of an image', async () => {
  const found = findChromium()
  const browser = await chromium.launch({ executablePath: found.path ?? '', args: ['--no-sandbox'] })
  try {
    const plain = await browser.newPage()
    await plain.goto(loupe.serving.url)
    await plain.getByRole('link', { name: 'Archive', exact: true }).click()
    await plain.getByRole('link', { name: 'Files', exact: true }).click()
    await plain.getByRole('link', { name: 'Records of damaged.warc.gz' }).click()
    await plain.getByRole('list', { name: 'Records' }).getByText('image/png').click()
    await expect(plain.getByRole('note')).toContainText('This browser does not use the replay proxy')
    await expect(plain.locator('iframe')).toHaveCount(0)
  } finally {
    await browser.close()
  }
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())

async function choose(names: readonly string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose files…' }).click()
  await (await chooser).setFiles(names.map((name) => join(loupe.folder, name)))
}
