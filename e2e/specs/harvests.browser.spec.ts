/** Harvests as an institution runs them, in a real browser: two domains with traps and limits are defined on the screens, harvested twice
 *  from a real server, and the statistics show that the second run is too small. */
import { rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { listen, type Listening } from '../sites/server.ts'
import { expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
let server: Listening
const requested: string[] = []
/** Pages that each site links from its home page. */
let pages = 30

test.beforeAll(async () => {
  loupe = await openLoupe('harvests')
  page = loupe.page
  await page.setViewportSize({ width: 1600, height: 950 })
  server = await listen(
    createServer((request, response) => {
      const { url = '/', headers } = request
      requested.push(`${headers.host}${url}`)
      const links = Array.from({ length: pages }, (_, at) => `<a href="/page${at}">${at}</a>`).join('')
      response.writeHead(200, { 'Content-Type': 'text/html' })
      response.end(url === '/' ? `${links}<a href="/calendar/2026">calendar</a>` : `page ${url} of ${headers.host}`)
    }),
  )
})

test.afterAll(async () => {
  await loupe.close()
  await server.close()
})

const dialog = () => page.getByRole('dialog')
const table = (name: string) => page.getByRole('table', { name, exact: true })

async function toTab(name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Harvests' }).click()
  await page.getByRole('navigation', { name: 'Parts of the harvests' }).getByRole('link', { name, exact: true }).click()
}

async function choose(within: Locator, field: string, option: string | RegExp): Promise<void> {
  await within.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}

test('an empty archive says what to do first', async () => {
  await toTab('Definitions')
  await expect(page.getByText('No harvests yet')).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('domains are added from a list, and refused lines are named', async () => {
  await toTab('Domains')
  await page.getByRole('button', { name: 'Add domains' }).click()
  await dialog()
    .getByRole('textbox', { name: 'Domains' })
    .fill('one.example\nhttp://www.two.example/start\nno domain\n')
  await expectAccessibleInBoth(page)
  await dialog().getByRole('button', { name: 'Add domains' }).click()
  await expect(dialog()).toContainText('2 domains added.')
  await expect(dialog()).toContainText('Line 3 (no domain)')
  await dialog().getByRole('button', { name: 'Close' }).last().click()
  await expect(table('Domains').getByRole('link', { name: 'two.example' })).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('a template is changed as TOML, and problems are named while typing', async () => {
  await toTab('Templates')
  await table('Templates').getByRole('link', { name: 'default' }).click()
  await expect(page.getByRole('radiogroup', { name: 'Scope' })).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.getByText('TOML', { exact: true }).click()
  const toml = page.getByRole('textbox', { name: 'Settings as TOML' })
  await toml.fill('scop = "domain"\n')
  await expect(page.getByText('One problem')).toBeVisible()
  await expect(page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: 'scop' })).toContainText('scope')
  const resolve = ['www.one.example', 'www.two.example'].map((host) => `"${host}" = "${server.address}"`)
  await toml.fill(`scope = "domain"\nrobots = "ignore"\ndelayMs = 0\n[resolve]\n${resolve.join('\n')}\n`)
  await expect(page.getByText('One problem')).toBeHidden()
  await page.getByRole('button', { name: 'Save as new version' }).click()
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveValue(/^2, saved/)
  await page.getByText('Form', { exact: true }).click()
  await expect(page.getByRole('radio', { name: /domain/i }).first()).toBeVisible()
})

test('the form of a template makes a version too', async () => {
  await page.getByRole('spinbutton', { name: 'Max. URLs' }).or(page.getByLabel('Max. URLs')).fill('500')
  await page.getByRole('button', { name: 'Save as new version' }).click()
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveValue(/^3, saved/)
  const { templates } = loupe.serving.engine.services
  const { settings } = await templates.show({ name: 'default' })
  expect(settings).toMatchObject({ scope: 'domain', maxObjects: 500, robots: 'ignore' })
})

test('one domain gets a crawler trap, the other a limit', async () => {
  await toTab('Domains')
  await table('Domains').getByRole('link', { name: 'one.example' }).click()
  await page.getByRole('button', { name: 'Edit domain' }).click()
  await dialog().getByRole('textbox', { name: 'Crawler traps' }).fill('/calendar/')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'Crawler traps' })).toContainText('/calendar/')
  await expectAccessibleInBoth(page)
  await page.getByRole('link', { name: 'All domains' }).click()
  await table('Domains').getByRole('link', { name: 'two.example' }).click()
  await page.getByRole('button', { name: 'Edit configuration default' }).click()
  await dialog().getByText('Login', { exact: true }).click()
  await dialog().getByRole('button', { name: 'Add login' }).click()
  await dialog().getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog().getByRole('textbox', { name: 'Login page' })).toBeVisible()
  await expect(dialog()).toBeVisible()
  await dialog()
    .getByRole('button', { name: /^Remove login/ })
    .click()
  await dialog().getByLabel('Max. objects').fill('20')
  await expectAccessibleInBoth(page)
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect(table('Configurations').getByRole('cell', { name: '20', exact: true })).toBeVisible()
})

test('a schedule previews its runs, and two domains are added to a harvest with it', async () => {
  await toTab('Schedules')
  await page.getByRole('button', { name: 'Add schedule' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Every Monday')
  await choose(dialog(), 'Unit', 'weeks')
  await dialog().getByLabel('Time', { exact: true }).fill('05:30')
  await expect(dialog().getByRole('region', { name: 'Next runs' }).getByRole('listitem')).toHaveCount(5)
  await expectAccessibleInBoth(page)
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect(table('Schedules of harvests')).toContainText('every week on Monday at 05:30')

  await toTab('Definitions')
  await page.getByRole('button', { name: 'Add harvest' }).first().click()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect(dialog().getByRole('textbox', { name: 'Name' })).toBeFocused()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Two sites')
  await choose(dialog(), 'Schedule', /Every Monday/)
  await expectAccessibleInBoth(page)
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Two sites', level: 1 })).toBeVisible()

  await toTab('Domains')
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await expect(page.getByText('2 rows selected')).toBeVisible()
  await page.getByRole('button', { name: 'Add to harvest…' }).click()
  await choose(dialog(), 'Harvest', 'Two sites')
  await dialog().getByRole('button', { name: 'Add to harvest' }).click()
  await expect(table('Configurations').getByRole('link', { name: 'two.example' })).toBeVisible()
})

/** Runs the harvest on its page, and waits until the run was counted. */
async function run(number: number): Promise<void> {
  await page.getByRole('button', { name: 'Run now' }).click()
  await expect(
    table('Complete runs')
      .getByRole('cell', { name: String(number), exact: true })
      .first(),
  ).toBeVisible({
    timeout: 0,
  })
}

test('the first run is harvested within its limits, and its page says what was fetched', async () => {
  await run(1)
  await expectAccessibleInBoth(page)
  await expect(page.getByText('Usual size')).toBeVisible()
  await table('Runs').getByRole('link', { name: 'Done 2' }).click()
  await expect(page).toHaveURL(/harvest=1&run=1/)
  const jobs = table('Jobs of harvests')
  await expect(jobs).toContainText('Two sites')
  await expectAccessibleInBoth(page)
  const results = table('Results per domain')
  await jobs.getByRole('link', { name: '2', exact: true }).click()
  await expect(results.getByRole('row', { name: /two\.example/ })).toContainText('Object limit of the configuration')
  await page.goBack()
  await jobs.getByRole('link', { name: '1', exact: true }).click()
  await expect(results.getByRole('row', { name: /one\.example/ })).toContainText('Complete')
  expect(requested.filter((each) => each.startsWith('www.one.example/calendar'))).toEqual([])
  await page.getByText('Why these domains', { exact: true }).click()
  await expect(table('Why these domains')).toContainText('It was never harvested.')
  await expectAccessibleInBoth(page)
})

test('the second run is too small, and the statistics say so', async () => {
  pages = 2
  await page.getByRole('region', { name: 'Harvest', exact: true }).getByRole('link', { name: 'Two sites' }).click()
  await run(2)
  await expect(table('Complete runs')).toContainText('Too small')
  await expect(table('Complete runs')).toContainText(/Only 7 objects: earlier runs had 51 objects/)
  await expectAccessibleInBoth(page)
  await page.getByRole('link', { name: 'System' }).click()
  await expect(table('Notifications')).toContainText('Run 2 of harvest Two sites is abnormal. Only 7 objects')
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByRole('button', { name: 'Mark all as read' })).toHaveAttribute('aria-disabled', 'true')
  await toTab('Statistics')
  await expect(table('Latest runs').getByRole('row', { name: /Two sites/ })).toContainText('Too small')
  await expect(page.getByRole('table', { name: 'Domains of the latest runs by stop reason' })).toContainText('Complete')
  await expectAccessibleInBoth(page)
})

test('harvests are activated and deactivated from the list, and one that ran cannot be removed', async () => {
  await toTab('Definitions')
  await page.getByRole('checkbox', { name: 'Select harvest Two sites' }).check()
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  const row = table('Harvests').getByRole('row', { name: /Two sites/ })
  await expect(row).toContainText('Active')
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await expect(row).toContainText('Inactive')
  await page.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Harvest Two sites cannot be removed')).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('an event harvest takes pasted seeds, and traps and fields are shared by all domains', async () => {
  await page.getByRole('button', { name: 'Add harvest' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Election')
  await dialog().getByRole('radio', { name: 'Event' }).check()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Election', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Add seeds' }).click()
  await dialog()
    .getByRole('textbox', { name: 'Seeds' })
    .fill('http://vote.example/start\nhttp://www.one.example/vote\n')
  await dialog().getByRole('button', { name: 'Add seeds' }).click()
  await expect(dialog()).toContainText('2 seeds in 2 configurations added; one domain was new.'.replace('one', '1'))
  await dialog().getByRole('button', { name: 'Close' }).last().click()
  await expect(table('Configurations').getByRole('link', { name: 'vote.example' })).toBeVisible()

  await toTab('Traps and fields')
  await page.getByRole('button', { name: 'Add list' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Calendars')
  await dialog().getByRole('textbox', { name: 'Patterns' }).fill('/calendar/\n(')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect(dialog().getByRole('textbox', { name: 'Patterns' })).toBeFocused()
  await dialog().getByRole('textbox', { name: 'Patterns' }).fill('/calendar/')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect(table('Crawler traps for all domains')).toContainText('Calendars')
  await page.getByRole('button', { name: 'Add field' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Contact')
  await expectAccessibleInBoth(page)
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect(table('Further fields')).toContainText('Contact')
  await toTab('Domains')
  await table('Domains').getByRole('link', { name: 'vote.example' }).click()
  await page.getByRole('button', { name: 'Edit domain' }).click()
  await dialog().getByRole('textbox', { name: 'Contact' }).fill('Ann')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Ann', { exact: true })).toBeVisible()
})

test('a hundred thousand domains scroll, filter and are selected by their last row', async () => {
  const names = Array.from({ length: 100_000 }, (_, at) => `site${String(at).padStart(6, '0')}.example`)
  await loupe.serving.engine.services.domains.addList({ text: names.join('\n') })
  await toTab('Domains')
  await expect(page.getByText('100,003 rows')).toBeVisible()
  const list = page.getByRole('group', { name: 'Domains', exact: true })
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(table('Domains').getByRole('link', { name: 'vote.example' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Filter domains by name' }).fill('site09999')
  await expect(page.getByText('10 rows', { exact: true })).toBeVisible()
  await expect(table('Domains').getByRole('link', { name: 'site099999.example' })).toBeVisible()
  await table('Domains').getByRole('checkbox', { name: 'Select domain site099991.example' }).check()
  await page.keyboard.down('Shift')
  await table('Domains').getByRole('checkbox', { name: 'Select domain site099994.example' }).click()
  await page.keyboard.up('Shift')
  await expect(page.getByText('4 rows selected')).toBeVisible()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as CSV' }).click()
  expect((await saving).suggestedFilename()).toBe('Domains.csv')
  await expectAccessibleInBoth(page)
  loupe.expectNoBugs()
})

test('a job whose files cannot be stored says so on its page, in short and with all messages', async () => {
  const { harvestDefinitions, generatedJobs } = loupe.serving.engine.services
  const replica = join(loupe.folder, 'archive', 'replicas', 'TWO')
  await rename(replica, `${replica}-away`)
  const [first] = await harvestDefinitions.list({ kind: 'selective' })
  const { jobs } = await harvestDefinitions.run({ harvest: first?.harvest ?? 0 })
  const job = jobs[0] ?? 0
  await expect.poll(async () => (await generatedJobs.show({ job })).uploadError).not.toBeNull()
  await page.goto(page.url().replace(/#.*/, `#/jobs/${job}`))
  const note = page.getByRole('alert').filter({ hasText: 'Upload: ' })
  await expect(note).toContainText('not in every replica yet.')
  await note.getByText('All messages (1)').click()
  await expect(note.getByRole('listitem')).toContainText('are stored at the next start of Loupe.')
  await expectAccessibleInBoth(page)
  await rename(`${replica}-away`, replica)
})
