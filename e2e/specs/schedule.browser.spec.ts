/** Schedules in a real browser: a job is given one in the dialog, which immediately shows what it means, and loses it again. The last
 *  test waits until a window starts a job: windows begin at whole minutes. */
import { textOf } from '../../src-main/contract/words/render.ts'
import { expect, test, type Page } from '@playwright/test'
import { harvestDefinition } from '../../src-main/contract/services/definition.ts'
import { expectAccessible, expectAccessibleInBoth, openJobTab, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
let job: number

test.beforeAll(async () => {
  loupe = await openLoupe('schedule')
  page = loupe.page
  await page.setViewportSize({ width: 1500, height: 950 })
})

test.afterAll(() => loupe.close())

const jobs = () => page.getByRole('table', { name: 'Jobs and schedules' })
const dialog = () => page.getByRole('dialog')

async function toSchedule(): Promise<void> {
  await page.getByRole('link', { name: 'Schedule', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Schedule', level: 1 })).toBeVisible()
}

async function choose(field: string, option: string): Promise<void> {
  const box = dialog().getByRole('combobox', { name: field, exact: true })
  await box.click()
  await page.getByRole('option', { name: option, exact: true }).click()
  await page.keyboard.press('Escape')
}

test('without a job the page explains what to do', async () => {
  await toSchedule()
  await expect(page.getByText('No jobs yet')).toBeVisible()
  await expectAccessible(page)
})

test('a harvest with a schedule waits for its window, and the page says so', async () => {
  const schedule = { records: [{ daysOfWeek: [1], hours: [2], durationMinutes: 180, timeZone: 'Europe/Berlin' }] }
  const { harvests } = loupe.serving.engine.services
  job = (await harvests.create({ seeds: ['http://127.0.0.1:9/'], name: 'The museum', schedule })).job
  expect(harvestDefinition.parse({ seeds: ['a.test'], schedule }).schedule?.startMethod).toBe('WINDOWBEGIN')
  await expect(jobs()).toContainText('every Monday at 02:00 for 3 hours, Europe/Berlin')
  await expect(jobs()).toContainText(/Next run: Monday \d{4}-\d\d-\d\d 02:00 \(Europe\/Berlin\)/)
  await expect(page.getByRole('table', { name: 'Upcoming runs' }).getByRole('row')).toHaveCount(11)
  await expectAccessibleInBoth(page)
})

test('the dialog previews the schedule, rejects invalid input, and saves', async () => {
  await page.getByRole('button', { name: `Edit the schedule of job ${job}: The museum` }).click()
  const preview = dialog().getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText('every Monday at 02:00 for 3 hours, Europe/Berlin')
  await expect(dialog().getByRole('radio', { name: 'Weekly' })).toBeChecked()
  await dialog().getByText('Hourly', { exact: true }).click()
  await expect(preview).toContainText('every hour')
  await expect(dialog().getByRole('combobox', { name: 'Hours' })).toHaveCount(0)
  await dialog().getByText('Daily', { exact: true }).click()
  await expect(preview).toContainText('every day at 02:00 for 3 hours, Europe/Berlin')
  await dialog().getByText('Weekly', { exact: true }).click()
  await choose('Hours', '14')
  await expect(preview).toContainText('every Monday at 02:00 and 14:00 for 3 hours, Europe/Berlin')
  await expect(preview.getByRole('table').getByRole('row')).toHaveCount(6)
  await dialog().getByText('Custom', { exact: true }).click()
  await dialog().getByRole('textbox', { name: 'Years' }).fill('soon')
  await expect(dialog().getByText('Enter four-digit years separated by commas.')).toBeVisible()
  await dialog().getByRole('button', { name: 'Save schedule' }).click()
  await expect(dialog().getByRole('textbox', { name: 'Years' })).toBeFocused()
  await dialog().getByRole('textbox', { name: 'Years' }).fill('')
  await dialog()
    .getByRole('checkbox', { name: /Incremental run/ })
    .check()
  await dialog().getByRole('radio', { name: 'Repeatedly inside a window' }).check()
  await expect(preview).toContainText('only what is new')
  await expectAccessibleInBoth(page)
  await dialog().getByRole('button', { name: 'Save schedule' }).click()
  await expect(dialog()).toBeHidden()
  await expect(jobs()).toContainText('every Monday at 02:00 and 14:00 for 3 hours, Europe/Berlin, only what is new')
})

test('further times, switching off, and removing the schedule', async () => {
  const change = page.getByRole('button', { name: `Edit the schedule of job ${job}: The museum` })
  await change.click()
  await dialog().getByRole('button', { name: 'Add another window' }).click()
  await expect(dialog().getByRole('group', { name: 'Window 2' })).toBeVisible()
  await dialog().getByRole('button', { name: 'Remove window 1' }).click()
  await dialog().getByRole('radio', { name: 'Off' }).check()
  await expect(dialog().getByText('The schedule is off, so no runs start.')).toBeVisible()
  await dialog().getByRole('button', { name: 'Save schedule' }).click()
  await expect(jobs()).toContainText('off: every Monday at 02:00 for 3 hours')
  await change.click()
  await dialog().getByRole('button', { name: 'Remove schedule' }).click()
  await expect(dialog()).toBeHidden()
  await expect(jobs()).toContainText('Not scheduled. Start it manually.')
  await expect(page.getByText('No upcoming runs.')).toBeVisible()
})

test('the harvest form accepts a schedule, and the job waits', async () => {
  await page.getByRole('button', { name: 'New harvest' }).click()
  await dialog()
    .getByRole('textbox', { name: /^Seeds/ })
    .fill('http://127.0.0.1:9/')
  await dialog().getByRole('textbox', { name: 'Name' }).fill('The nights')
  await dialog().getByRole('checkbox', { name: 'Run on a schedule instead of now' }).check()
  await expect(dialog().getByRole('region', { name: 'Preview' })).toContainText('every Monday at 02:00 for 3 hours')
  await expectAccessible(page)
  await dialog().getByRole('button', { name: 'Save harvest' }).click()
  await expect(page.getByRole('heading', { name: /The nights/ })).toBeVisible()
  await openJobTab(page, 'Definition and schedule')
  await expect(page.getByRole('region', { name: 'Schedule' })).toContainText('Next run: Monday')
  await toSchedule()
})

test('a frequent harvest fills the form in, and another one leaves nothing of it', async () => {
  await page.getByRole('button', { name: 'New harvest' }).first().click()
  await expect(dialog().getByRole('radio', { name: 'Whole site' })).toBeChecked()
  await dialog().getByText('News, hourly', { exact: true }).click()
  await expect(dialog().getByRole('region', { name: 'Preview' })).toContainText('every hour')
  await expect(dialog().getByRole('textbox', { name: 'Max. link depth' })).toHaveValue('1')
  await expectAccessibleInBoth(page)
  await dialog().getByText('One page', { exact: true }).click()
  await expect(dialog().getByRole('region', { name: 'Preview' })).toHaveCount(0)
  await dialog().getByRole('textbox', { name: 'Max. link depth' }).fill('2')
  await expect(dialog().getByText('Your own choice of the fields below.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(dialog()).toHaveCount(0)
})

test('a window that begins starts the job, and its page says which window it runs in', async () => {
  const { schedules, jobs: all } = loupe.serving.engine.services
  await schedules.set({ job, schedule: { records: [{ minutes: 'any', durationMinutes: 600 }] } })
  await page
    .getByRole('table', { name: 'Jobs and schedules' })
    .getByRole('link', { name: `${job}: The museum` })
    .click()
  await openJobTab(page, 'Definition and schedule')
  const section = page.getByRole('region', { name: 'Schedule' })
  await expect(section).toContainText('every minute for 10 hours, UTC')
  // The next minute begins within 60 seconds, and schedules are checked every ten seconds.
  await expect.poll(async () => (await all.show({ job })).started, { timeout: 90_000 }).not.toBe(null)
  const log = await all.log({ job })
  expect(log.map(({ message }) => textOf(message)).join('\n')).toMatch(
    /A scheduled time window has opened; it closes at/,
  )
  await schedules.set({ job, schedule: null })
  await expectAccessible(page)
  loupe.expectNoBugs()
})
