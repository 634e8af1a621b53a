/** Settings in a real browser: found by words, restricted to what was changed, reached by section, with units that people read, and conditions
 *  that are ticked. */
import { expect, test, type Page } from '@playwright/test'
import { expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page

test.beforeAll(async () => {
  loupe = await openLoupe('settings')
  page = loupe.page
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
})
test.afterAll(() => loupe.close())

const find = () => page.getByRole('textbox', { name: 'Find a setting' })
const form = (path: string) => page.getByRole('form', { name: `Change ${path}` })
const forms = () => page.getByRole('form', { name: /^Change / })

test('settings are found by words of their name or explanation', async () => {
  const all = await forms().count()
  await find().fill('memory harvest')
  await expect(form('harvest.memoryBytesMax')).toBeVisible()
  expect(await forms().count()).toBeLessThan(all / 2)
  await expect(page.getByRole('heading', { name: 'Theme' })).toHaveCount(0)
  await find().fill('memory xyzzy')
  await expect(page.getByText('No settings found')).toBeVisible()
  await expectAccessibleInBoth(page)
  await find().fill('')
  await expect(forms()).toHaveCount(all)
})

test('amounts are also shown in the unit in which people think, while they are typed', async () => {
  const field = form('harvest.memoryBytesMax').getByRole('textbox')
  await expect(form('harvest.memoryBytesMax')).toContainText('537 MB')
  await field.fill('1000000000')
  await expect(form('harvest.memoryBytesMax')).toContainText('1 GB')
  await form('harvest.memoryBytesMax').getByRole('button', { name: 'Save', exact: true }).click()
  await expect(form('harvest.memoryBytesMax').getByRole('button', { name: /^Reset to default/ })).toBeVisible()
})

test('conditions that the institution declares are ticked, and the report has them', async () => {
  await page.getByRole('checkbox', { name: /^All content is scanned for viruses/ }).check()
  await form('preservation.declared').getByRole('button', { name: 'Save', exact: true }).click()
  await expect(form('preservation.declared').getByRole('button', { name: /^Reset to default/ })).toBeVisible()
  const settings = await loupe.serving.engine.services.settings.list({})
  expect(settings.find(({ path }) => path === 'preservation.declared')?.value).toEqual(['virusChecked'])
})

test('only changed settings are shown on request', async () => {
  await page.getByRole('checkbox', { name: 'Changed only' }).check()
  await expect(forms()).toHaveCount(2)
  await expectAccessibleInBoth(page)
  await page.getByRole('checkbox', { name: 'Changed only' }).uncheck()
})

test('a section is reached from the top', async () => {
  const sections = page.getByRole('navigation', { name: 'Sections' })
  await sections.getByRole('button', { name: 'Database backups' }).click()
  await expect(page.getByRole('heading', { name: 'Database backups' })).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'Theme' })).not.toBeInViewport()
  loupe.expectNoBugs()
})
