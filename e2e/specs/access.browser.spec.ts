/** Access in a real browser: an administrator adds accounts, an authority, a group and rules, and is told why a user may see a capture or not. What
 *  the accounts see on the public port agrees, and an account is offered nothing that its role refuses. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Locator, type Page, type Request } from '@playwright/test'
import { archiveTabs, harvestTabs, hrefOf, jobTabs, type Route } from '../../src-renderer/routes/routes.ts'
import { fileOf } from '../sites/archiveFiles.ts'
import { expectAccessibleInBoth } from './openedLoupe.ts'
import { folderOf, loggedIn, password, serveAccounts, type ServedAccounts } from './servedAccounts.ts'

test.describe.configure({ mode: 'serial' })

let folder: string
let served: ServedAccounts
/** The window of the administrator. */
let page: Page

test.beforeAll(async () => {
  folder = await folderOf('access')
  served = await serveAccounts(folder)
  const { harvests, jobs, accounts } = served.serving.engine.services
  for (const host of ['maps.test', 'press.test']) {
    const path = join(folder, `${host}.warc.gz`)
    const content = `<!doctype html><title>${host}</title><h1>${host}</h1>`
    const url = `http://${host}/`
    await writeFile(path, fileOf([{ url, at: '2024-05-01T12:00:00Z', mediaType: 'text/html', content }]))
    const { job } = await harvests.import({ paths: [path] })
    await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
  }
  await writeFile(join(folder, 'users.csv'), 'anna,maps\nben,press\n')
  await accounts.add({ name: 'root', roles: ['administrator'], password })
  page = await loggedIn(served, 'root')
})
test.afterAll(() => served.close())

async function openTab(name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Parts of access' }).getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 2, name }).first()).toBeVisible()
}

/** Chooses an option of a select of the form. */
async function choose(form: Locator, label: string, option: string): Promise<void> {
  await form.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const dialog = () => page.getByRole('dialog')
const save = () => dialog().getByRole('button', { name: 'Save' }).click()

test('accounts are added, each error is by its field, and roles and passwords are set', async () => {
  await page.getByRole('link', { name: 'Access', exact: true }).click()
  await expect(page.getByRole('row', { name: /^root/ })).toBeVisible()
  await page.getByRole('button', { name: 'Add account…' }).click()
  await save()
  await expect(dialog().getByText('Fill in this field.')).toBeVisible()
  await expect(dialog().getByText('The password has 0 characters: at least 15 are needed.')).toBeVisible()
  await expect(dialog().getByRole('textbox', { name: 'Name' })).toBeFocused()
  await expectAccessibleInBoth(page)
  for (const name of ['anna', 'ben']) {
    if (name === 'ben') await page.getByRole('button', { name: 'Add account…' }).click()
    await dialog().getByRole('textbox', { name: 'Name' }).fill(name)
    await dialog()
      .getByLabel(/^Password/)
      .fill(password)
    await dialog().getByLabel('Repeat password').fill(password)
    await save()
    await expect(dialog()).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Set roles of anna…' }).click()
  await dialog().getByRole('checkbox', { name: 'Curator' }).check()
  await save()
  await expect(page.getByRole('row', { name: /^anna/ })).toContainText('Viewer, Curator')
  await expectAccessibleInBoth(page)
})

test('an authority needs a group, and its check says what is wrong', async () => {
  await page.getByRole('link', { name: 'Authorities', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Add authority…' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'Add group…' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Library')
  await save()
  await expect(page.getByRole('table', { name: 'Groups' }).getByText('Library')).toBeVisible()
  await page.getByRole('button', { name: 'Add authority…' }).click()
  const form = dialog()
  await form.getByRole('textbox', { name: 'Name' }).fill('Staff')
  await form.getByRole('textbox', { name: 'Path of the file' }).fill('users.csv')
  await save()
  await expect(form.getByText(/must be an absolute path/)).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Path of the file' })).toBeFocused()
  await expectAccessibleInBoth(page)
  await form.getByRole('textbox', { name: 'Path of the file' }).fill(join(folder, 'absent.csv'))
  await save()
  await expect(dialog()).toHaveCount(0)
  await page.getByRole('button', { name: 'Check Staff' }).click()
  await expect(page.getByText(/absent\.csv does not exist\./)).toBeVisible()
  await page.getByRole('button', { name: 'Edit authority Staff' }).click()
  await dialog().getByRole('textbox', { name: 'Path of the file' }).fill(join(folder, 'users.csv'))
  await save()
  await expect(dialog()).toHaveCount(0)
  await page.getByRole('button', { name: 'Check Staff' }).click()
  await expect(page.getByText('Working', { exact: true })).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('a mapping and a domain are added, and a group that is named stays', async () => {
  await page.getByRole('button', { name: 'Add mapping…' }).click()
  await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Lower case')
  await dialog().getByRole('textbox', { name: 'Regular expression' }).fill('(.*)')
  await dialog().getByRole('textbox', { name: 'New name' }).fill('$(1l)')
  await save()
  await expect(dialog()).toHaveCount(0)
  await page.getByRole('button', { name: 'Edit authority Staff' }).click()
  await choose(dialog(), 'Prerequisite mapping', 'Lower case')
  await save()
  await expect(page.getByRole('row', { name: /^Staff/ })).toContainText('Lower case')
  await page.getByRole('button', { name: 'Add domain…' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('readers')
  await save()
  await expect(page.getByRole('row', { name: /^readers/ })).toBeVisible()
  await page.getByRole('button', { name: 'Remove group Library' }).click()
  await dialog().getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('"Library" cannot be removed')
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
})

test('rules are added, and one without a token is refused', async () => {
  await openTab('Security rules')
  await expect(page.getByText('Every account sees every capture. Add a rule to secure captures.')).toBeVisible()
  for (const [job, token] of [
    ['1', 'maps'],
    ['2', 'press'],
  ] as const) {
    await page.getByRole('button', { name: 'Add rule…' }).click()
    await dialog().getByRole('textbox', { name: 'Job' }).fill(job)
    if (job === '1') {
      await save()
      await expect(dialog().getByText('Enter at least one token to allow or to deny.')).toBeVisible()
      await expectAccessibleInBoth(page)
    }
    await dialog().locator('input[data-field="allow"]').fill(token)
    await dialog().locator('input[data-field="allow"]').press('Enter')
    await save()
    await expect(dialog()).toHaveCount(0)
    await expect(page.getByRole('row', { name: `Job ${job}` })).toContainText(token)
  }
  await expectAccessibleInBoth(page)
})

test('the administrator is told what a user may see, and why', async () => {
  await openTab('What a user may see')
  await page.getByRole('textbox', { name: 'User name' }).fill('BEN')
  await page.getByRole('textbox', { name: 'Job' }).fill('1')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText(/^Enter a URL as well/)).toBeVisible()
  await page.getByRole('textbox', { name: 'URL of a capture' }).fill('http://maps.test/')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText('The user may not see this capture: the group Library does not agree.')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Group Library' })).toContainText(
    'The user has none of the allow tokens: maps.',
  )
  const answer = page.getByRole('table', { name: 'Answers of the authorities' }).getByRole('row', { name: /^Staff/ })
  await expect(answer).toContainText('OK')
  await expect(answer).toContainText('press')
  await expectAccessibleInBoth(page)
  await page.getByRole('textbox', { name: 'User name' }).fill('anna')
  await page.getByRole('button', { name: 'Add user name in another domain' }).click()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText('The user has the allow token maps.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove user name 2' }).click()
  await page.getByRole('textbox', { name: 'User name' }).fill('eve')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(answer).toContainText('User not found')
})

test('each account sees what the page said', async () => {
  for (const [name, own, other] of [
    ['anna', 1, 2],
    ['ben', 2, 1],
  ] as const) {
    const opened = await loggedIn(served, name)
    const statusOf = (job: number) =>
      opened.evaluate(
        async (input) => {
          const token = window.sessionStorage.getItem('loupe.token')
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
          const body = JSON.stringify({ input })
          return (await fetch('/api/call/jobs.documents', { method: 'POST', headers, body })).status
        },
        { job },
      )
    expect([await statusOf(own), await statusOf(other)]).toEqual([200, 403])
  }
})

test('sessions are listed, and ending one logs its account out', async () => {
  await openTab('Sessions')
  await expect(page.getByRole('row', { name: /^root/ })).toContainText('This session')
  await expect(page.getByText('This session')).toHaveCount(1)
  await expectAccessibleInBoth(page)
  const anna = page.getByRole('row', { name: /^anna/ })
  await anna.getByRole('button', { name: /^End session/ }).click()
  await dialog().getByRole('button', { name: 'End session' }).click()
  await expect(anna).toHaveCount(0)
})

test('every part of access fits into 1024 pixels and a zoom of 200 %', async () => {
  for (const size of [
    { width: 1024, height: 768 },
    { width: 640, height: 400 },
  ]) {
    await page.setViewportSize(size)
    for (const tab of ['Accounts', 'Sessions', 'Authorities', 'Security rules', 'What a user may see']) {
      await page.getByRole('link', { name: tab, exact: true }).click()
      await expect(page.getByText('Loading…', { exact: true })).toHaveCount(0)
      const main = page.getByRole('main')
      expect(await main.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
})

/** Screens that an account with the role viewer can open. */
const places: Route[] = [
  { place: 'jobs' },
  ...harvestTabs.map((tab): Route => ({ place: 'harvests', tab })),
  { place: 'template', template: 'default' },
  ...jobTabs.map((tab): Route => ({ place: 'job', job: 2, tab })),
  { place: 'missing', jobs: [2] },
  { place: 'pageAudits', job: 2 },
  { place: 'search' },
  ...archiveTabs.map((tab): Route => ({ place: 'archive', tab })),
  { place: 'history' },
  { place: 'schedule' },
]

test('a viewer is offered nothing that the role refuses', async () => {
  test.setTimeout(400_000)
  await served.serving.engine.services.accounts.add({ name: 'vera', roles: ['viewer'], password })
  const vera = await loggedIn(served, 'vera')
  await expect(vera.getByRole('link', { name: 'Access', exact: true })).toHaveCount(0)
  await expect(vera.getByRole('link', { name: 'Settings', exact: true })).toHaveCount(0)
  let refused: string[] = []
  let clicked = 0
  const calls = new Set<Request>()
  vera.on('request', (request) => request.url().includes('/api/call/') && calls.add(request))
  vera.on('requestfailed', (request) => calls.delete(request))
  vera.on('requestfinished', (request) => void answered(request))
  async function answered(request: Request): Promise<void> {
    const response = await request.response()
    const text = response?.status() === 403 ? await response.text() : ''
    if (text.includes('needs the role')) refused.push(request.url().replace(/.*\/api\/call\//, ''))
    calls.delete(request)
  }
  const found: string[] = []
  for (const place of places) {
    const show = async () => {
      await vera.goto(`${new URL(vera.url()).origin}/${hrefOf(place)}`)
      await expect(vera.getByRole('main').getByRole('heading').first()).toBeVisible()
      await expect(vera.getByText('Loading…', { exact: true })).toHaveCount(0)
    }
    await show()
    const shown = vera.url()
    const buttons = vera
      .getByRole('main')
      .locator(':not(th) > button:not([aria-disabled="true"]):not(:disabled):visible')
    for (let at = 0; at < (await buttons.count()); at += 1) {
      const name = `${hrefOf(place)} ${await buttons.nth(at).evaluate((button) => button.ariaLabel ?? button.textContent)}`
      refused = []
      await buttons.nth(at).click()
      await vera.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      await expect.poll(() => calls.size).toBe(0)
      clicked += 1
      const submits = vera
        .getByRole('dialog')
        .locator('button[type="submit"]:not([aria-disabled="true"]):not(:disabled)')
      for (const text of await submits.allTextContents()) found.push(`${name}: the dialog offers ${text}`)
      found.push(...refused.map((call) => `${name}: ${call}`))
      await vera.keyboard.press('Escape')
      if (vera.url() !== shown) await show()
    }
  }
  expect(clicked).toBeGreaterThan(20)
  expect(found).toEqual([])
})

test('no bugs were reported', () => expect(served.bugs).toEqual([]))
