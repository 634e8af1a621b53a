/** A job's queue on the job's page, in a real browser, for a job that waits for its hosts: rules with their preview, deleting,
 *  budgets, priorities. */
import { expect, test, type Page } from '@playwright/test'
import { harvestDefinition } from '../../src-main/contract/services/definition.ts'
import { startCalendar } from '../sites/calendar.ts'
import { expectAccessibleInBoth, openJobTab, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
let site: Awaited<ReturnType<typeof startCalendar>>
let job: number

test.beforeAll(async () => {
  site = await startCalendar()
  loupe = await openLoupe('queue')
  page = loupe.page
  await page.setViewportSize({ width: 1500, height: 950 })
  const { harvests, queue } = loupe.serving.engine.services
  // Slow enough to keep running during this spec.
  job = (
    await harvests.create(
      harvestDefinition.parse({ seeds: [site.origin], resolve: site.resolve, delayMs: 3_000, name: 'Calendar' }),
    )
  ).job
  await expect.poll(async () => (await queue.show({ job })).waiting).toBeGreaterThan(100)
})
test.afterAll(async () => {
  await loupe.close()
  await site.close()
})

const section = () => page.getByRole('region', { name: 'Queue', exact: true })
const dialog = () => page.getByRole('dialog')
const preview = () => dialog().getByRole('region', { name: 'Preview' })

test('the page shows the queue by host, the next URLs, and the activity of the job', async () => {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('link', { name: /Calendar/ }).click()
  await openJobTab(page, 'URLs')
  await expect(section().getByRole('table', { name: 'Queue by host' })).toContainText('http://www.calendar.test')
  await expect(section().getByRole('table', { name: 'Next in the queue' })).toContainText('/day/')
  await expect(page.getByText(/Fetching: \d+ in progress|before the next request/)).toHaveCount(1)
  await expectAccessibleInBoth(page)
})

test('a rule previews what it removes, applies, and can be removed', async () => {
  await section().getByRole('button', { name: 'Reject…' }).click()
  await dialog().getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(dialog().getByText('Enter a pattern.')).toBeVisible()
  await dialog().getByRole('textbox', { name: 'Regular expression' }).fill('/day/(')
  await expect(dialog().getByText('This parenthesis is never closed.')).toBeVisible()
  await dialog().getByRole('textbox', { name: 'Regular expression' }).fill('/day/')
  await expect(preview()).toContainText(/\d+ queued URLs match/)
  await expect(preview().getByRole('listitem')).toHaveCount(20)
  await expectAccessibleInBoth(page)
  await dialog().getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(dialog()).toBeHidden()
  const rules = section().getByRole('table', { name: 'Reject rules' })
  await expect(rules).toContainText('/day/')
  await expect(section().getByRole('table', { name: 'Next in the queue' })).not.toContainText('/day/')
  await rules.getByRole('button', { name: 'Remove the rule /day/' }).click()
  await dialog().getByRole('button', { name: 'Remove rule' }).click()
  await expect(rules).toBeHidden()
  // They are placed after everything found earlier, not at the head.
  const waiting = () => loupe.serving.engine.services.queue.drop({ job, of: { pattern: '/day/' }, isTrial: true })
  expect((await waiting()).documents).toBeGreaterThan(20)
})

test('deleting and moving to the front', async () => {
  await section().getByRole('button', { name: 'Delete…' }).click()
  await dialog().getByRole('textbox', { name: 'Regular expression' }).fill('/article/[0-4]')
  await expect(preview()).toContainText(/queued URLs match/)
  await dialog().getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog()).toBeHidden()
  await section().getByRole('button', { name: 'Change priority…' }).click()
  // Matches more URLs than can be in progress at a time: fewer would be fetched at once, before their position could be observed.
  await dialog().getByRole('textbox', { name: 'Regular expression' }).fill('/day/')
  await expect(preview()).toContainText(/\d+ queued URLs match/)
  await dialog().getByRole('button', { name: 'Change' }).click()
  await expect(dialog()).toBeHidden()
  await expect(section().getByRole('table', { name: 'Next in the queue' })).toContainText('First')
})

test('budgets of several domains at once, with preview, and the priority of the job', async () => {
  await section().getByRole('button', { name: 'Budgets…' }).click()
  const lines = dialog().getByRole('textbox', { name: 'Domains' })
  await lines.fill('pictures.test many')
  await expect(dialog().getByText(/^Line 1, "pictures.test many"/)).toBeVisible()
  await lines.fill('pictures.test\ncalendar.test 500 -')
  await dialog().getByRole('textbox', { name: 'Max. URLs' }).fill('0')
  const effects = dialog().getByRole('table', { name: 'Effect of the budgets' })
  await expect(effects).toContainText('pictures.test')
  await expect(effects).toContainText('of 500')
  await expectAccessibleInBoth(page)
  await dialog().getByRole('button', { name: 'Set budgets' }).click()
  await expect(dialog()).toBeHidden()
  await expect(section().getByRole('table', { name: 'Current budgets' })).toContainText('pictures.test')
  await section().getByRole('combobox', { name: 'Job priority' }).click()
  await page.getByRole('option', { name: '1', exact: true }).click()
  await expect.poll(async () => (await loupe.serving.engine.services.queue.show({ job })).priority).toBe(1)
  await expectAccessibleInBoth(page)
  await loupe.serving.engine.services.jobs.abort({ job })
  await expect(section().getByRole('button', { name: 'Reject…' })).toBeHidden()
  await expect(section().getByRole('table', { name: 'Current budgets' })).toBeVisible()
  loupe.expectNoBugs()
})
