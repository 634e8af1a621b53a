/** The links of the interface, on every screen: each has an address and opens the same screen in a new window, with Ctrl and a click
 *  or with the middle button, without another authentication. */
import { expect, test, type Page } from '@playwright/test'
import { fileOf } from '../sites/archiveFiles.ts'
import { expectAccessible, importFile, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

const url = 'http://pier.test/'
const file = 'pier.warc.gz'
let loupe: OpenedLoupe
let page: Page
let screens: string[]

test.beforeAll(async () => {
  loupe = await openLoupe('links')
  page = loupe.page
  const content = '<!doctype html><title>Pier</title><h1>Pier</h1>'
  const capture = { url, at: '2012-06-01T10:00:00Z', mediaType: 'text/html', content }
  const job = await importFile(loupe, file, fileOf([capture, { ...capture, url: `${url}b.html` }]))
  await expect.poll(async () => (await loupe.serving.engine.services.archive.files({})).total).toBeGreaterThan(0)
  const parts = ['', '/files', '/repair', '/attic', '/backups', '/audit', '/report', '/batch']
  screens = [
    ...['#/jobs', `#/jobs/${job}`, '#/schedule', '#/history', '#/settings', '#/viewer', `#/viewer?jobs=${job}`],
    ...parts.map((part) => `#/archive${part}`),
    ...[`#/archive/files/${file}`, `#/files/${file}?offset=0`],
  ]
})

test.afterAll(() => loupe.close())

async function goToScreen(hash: string): Promise<void> {
  await page.evaluate((to) => (window.location.hash = to), hash)
  await expect(page.locator('main').getByRole('heading', { level: 1 }).first()).toBeAttached()
}

/** The window that a click opens, once it shows the interface. */
async function opened(click: () => Promise<void>): Promise<Page> {
  const [window] = await Promise.all([page.context().waitForEvent('page'), click()])
  await expect(window.getByRole('navigation').first()).toBeVisible()
  return window
}

test('every link of every screen has the address of a screen', async () => {
  const withoutAddress: string[] = []
  for (const screen of screens) {
    await goToScreen(screen)
    const wrong = await page
      .locator('a, [role="link"]')
      .evaluateAll((links) =>
        links.filter((link) => !/^(#\/|blob:)/.test(link.getAttribute('href') ?? '')).map((link) => link.outerHTML),
      )
    withoutAddress.push(...wrong.map((link) => `${screen}: ${link}`))
  }
  expect(withoutAddress).toEqual([])
})

test('everything that leads to another screen is a link, also if it looks like a button', async () => {
  const job = screens[1] ?? ''
  const leading: [string, string, string][] = [
    [job, 'Open in viewer', '#/viewer?jobs=1'],
    [`#/archive/files/${file}`, 'Open in viewer', `#/viewer?file=${file}`],
    [`#/files/${file}?offset=0`, 'Next record', `#/files/${file}?offset=`],
  ]
  for (const [screen, name, to] of leading) {
    await goToScreen(screen)
    await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('href', new RegExp(`^${escaped(to)}`))
  }
  await expectAccessible(page)
})

test('a link opens in a new window with Ctrl and a click, and with the middle button', async () => {
  for (const [screen, how] of [
    [screens[1] ?? '', { modifiers: ['Control'] }],
    [`#/archive/files/${file}`, { button: 'middle' }],
  ] as const) {
    await goToScreen(screen)
    const window = await opened(() =>
      page
        .getByRole('link', { name: 'Open in viewer' })
        .click({ ...how, modifiers: [...('modifiers' in how ? how.modifiers : [])] }),
    )
    await expect(
      window.frameLocator('iframe[title="Archived page"]').getByRole('heading', { name: 'Pier' }),
    ).toBeVisible()
    expect(new URL(window.url()).hash).toMatch(/^#\/viewer\?/)
    await window.close()
  }
  // This window has not navigated.
  expect(new URL(page.url()).hash).toBe(`#/archive/files/${file}`)
})

test('each screen opens in a new window from the links that lead to it', async () => {
  await goToScreen('#/jobs')
  const rail = page.getByRole('navigation').first().locator('a.rail-link')
  for (const [at, to] of (
    await rail.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  ).entries()) {
    const window = await opened(() => rail.nth(at).click({ modifiers: ['Control'] }))
    expect(new URL(window.url()).hash).toBe(to)
    await expect(window.locator('main').getByRole('heading', { level: 1 }).first()).toBeAttached()
    await window.close()
  }
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())

function escaped(text: string): string {
  return text.replace(/[.?]/g, String.raw`\$&`)
}
