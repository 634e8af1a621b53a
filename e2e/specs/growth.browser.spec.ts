/** Captures over time through the interface, in a real browser: an imported file with captures of several years, by host, media type and
 *  status, of a domain, as a picture, as a table and as CSV. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { newRecord, recordBytes } from '../../src-main/formats/records/warcWriter.ts'
import { expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page

/** Captures of each host from January 2023 on: 10 more with each month of the year, some of them missing pages; none in June. */
const hosts = { 'museum.example': 3, 'shop.museum.example': 2, 'harbour.test': 1 }
const months = Array.from({ length: 24 }, (_, at) => at).filter((at) => at % 12 !== 5)

function captures(): Buffer {
  const records: Uint8Array[] = []
  for (const [host, share] of Object.entries(hosts))
    for (const month of months)
      for (let number = 0; number < share * ((month % 12) + 1); number += 1) {
        const isPicture = number % 3 === 0
        const head = `HTTP/1.1 ${number % 7 === 6 ? 404 : 200} OK\r\nContent-Type: ${isPicture ? 'image/png' : 'text/html'}\r\n\r\n`
        const record = newRecord({
          type: 'response',
          id: `00000000-0000-4000-8000-${String(records.length).padStart(12, '0')}`,
          dateMs: Date.UTC(2023, month, 1 + (number % 28)),
          fields: [['WARC-Target-URI', `http://${host}/${number}`]],
          contentType: 'application/http;msgtype=response',
          payload: { offset: head.length },
          block: [Buffer.from(head), Buffer.alloc(isPicture ? 2_000 : 300, 120)],
        })
        records.push(...recordBytes(record))
      }
  return Buffer.concat(records)
}
const total = months.reduce((sum, month) => sum + 6 * ((month % 12) + 1), 0)

test.beforeAll(async () => {
  loupe = await openLoupe('growth')
  page = loupe.page
  await page.setViewportSize({ width: 1280, height: 900 })
})
test.afterAll(() => loupe.close())

const picture = () => page.getByRole('img', { name: /by period/ })
const table = () => page.getByRole('table', { name: 'Captures by period' })

test('an archive without captures says so', async () => {
  await page.goto(`${page.url().split('#')[0]}#/archive`)
  await page.getByRole('link', { name: 'Growth', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No captures' })).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('captures by month and host are drawn, and the table has the same numbers', async () => {
  const { harvests, jobs } = loupe.serving.engine.services
  const file = join(loupe.folder, 'museum.warc')
  await writeFile(file, captures())
  const { job } = await harvests.import({ paths: [file] })
  await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
  await page.getByRole('link', { name: 'Replicas', exact: true }).click()
  await page.getByRole('link', { name: 'Growth', exact: true }).click()
  await expect(picture()).toHaveAccessibleName(/^Captures by period\./)
  await expect(page.getByText(`${total} captures, `)).toBeVisible()
  const first = table().getByRole('row').nth(1)
  await expect(first).toContainText('2023-01museum.example3')
  await expectAccessibleInBoth(page)
})

test('the picture says what is at the pointer, also where nothing was captured', async () => {
  const canvas = await picture().locator('.u-over').boundingBox()
  if (!canvas) throw new Error('the picture is not drawn')
  // The sixth of 24 bars, in the middle of it.
  const legend = page.locator('figcaption')
  await page.mouse.move(canvas.x + (canvas.width * 5.5) / 24, canvas.y + 20)
  await expect(legend).toContainText('2023-06')
  await expect(legend).toContainText('museum.example0')
  await page.mouse.move(canvas.x + (canvas.width * 11.5) / 24, canvas.y + 20)
  await expect(legend).toContainText('2023-12')
  await expect(legend).toContainText('museum.example36')
})

test('a domain grows: its hosts, cumulative', async () => {
  await page.getByRole('textbox', { name: 'Domain' }).fill('museum.example')
  await page.getByRole('checkbox', { name: 'Cumulative' }).check()
  await page.getByRole('radiogroup', { name: 'Period' }).getByText('Year').click()
  const ofYear = 72
  await expect(table().getByRole('row').filter({ hasText: '2023' }).first()).toContainText(
    `museum.example${3 * ofYear}`,
  )
  await expect(table().getByRole('row').filter({ hasText: '2024' }).first()).toContainText(
    `museum.example${6 * ofYear}`,
  )
  await expect(table().getByText('harbour.test')).toBeHidden()
})

test('media types and statuses, sizes, and one job', async () => {
  const by = page.getByRole('combobox', { name: 'Group by' })
  await by.click()
  await page.getByRole('option', { name: 'Status' }).click()
  await expect(table().getByRole('cell', { name: '404', exact: true }).first()).toBeVisible()
  await by.click()
  await page.getByRole('option', { name: 'Media type' }).click()
  await expect(table().getByRole('cell', { name: 'image/png' }).first()).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Show' }).getByText('Size').click()
  await expect(picture()).toHaveAccessibleName(/^Size by period, cumulative\./)
  const jobs = page.getByRole('textbox', { name: 'Jobs' })
  await jobs.fill('x')
  await expect(page.getByText('Enter job numbers separated by commas.')).toBeVisible()
  await jobs.fill('1')
  await expect(table().getByRole('cell', { name: 'image/png' }).first()).toBeVisible()
  await jobs.fill('77')
  await expect(page.getByText('The archive has no files of job 77.')).toBeVisible()
  await jobs.fill('')
  await expectAccessibleInBoth(page)
})

test('the table is saved as CSV', async () => {
  await expect(table()).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ])
  const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  expect(head).toBe('Period,Group,Captures,Size')
  expect(lines[0]).toMatch(/^2023,(image\/png|text\/html),\d+,\d+$/)
})

test('the page of a domain leads to its growth', async () => {
  await loupe.serving.engine.services.domains.addList({ text: 'museum.example' })
  await page.goto(`${page.url().split('#')[0]}#/harvests/domains/museum.example`)
  await page.getByRole('link', { name: 'Growth in the archive' }).click()
  await expect(page.getByRole('textbox', { name: 'Domain' })).toHaveValue('museum.example')
  await expect(page.getByRole('checkbox', { name: 'Cumulative' })).toBeChecked()
  await expect(picture()).toBeVisible()
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
