/** An archived page leads a real Chromium to the commands of the viewer, in every way that a page can: none is executed. The user,
 *  who reads the command token in the settings, can execute the same command, in the browser and in a script. */
import { expect, test, type Page } from '@playwright/test'
import { askOver } from '../../src-main/viewer/testing/viewerFixture.ts'
import { fileOf, type Capture } from '../sites/archiveFiles.ts'
import { goToArchived, importFile, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

const at = '2020-02-02T00:00:00Z'
const site = 'http://lure.test'
const secureSite = 'https://lure.test'
const missing = `${site}/missing.png`
const clear = 'clearRecordedURIs?returnURL=http%3A%2F%2Flure.test%2Fafter'
const hosts = ['loupe.viewer.invalid', 'netarchivesuite.viewerproxy.invalid']
const addresses = ['http', 'https'].flatMap((scheme) => hosts.map((host) => `${scheme}://${host}/${clear}`))

const redirect = (url: string, to: string): Capture => ({
  ...{ url, at, mediaType: 'text/html', content: '', status: '302 Found', head: `Location: ${to}\r\n` },
})
const html = (url: string, content: string): Capture => ({ url, at, mediaType: 'text/html', content })
const captures: Capture[] = [
  html(`${site}/`, `<!doctype html><title>Lure</title><img src="${missing}">`),
  html(`${site}/after`, '<!doctype html><title>After</title>'),
  ...[site, secureSite].flatMap((from) =>
    addresses.map((address, number) => redirect(`${from}/redirect${number}`, address)),
  ),
  redirect(`${site}/twice`, `${secureSite}/redirect2`),
  html(`${site}/refresh`, `<!doctype html><meta http-equiv="refresh" content="0;url=${addresses[2]}">`),
  html(`${site}/script`, `<!doctype html><script>location.href = ${JSON.stringify(addresses[2])}</script>`),
  ...['get', 'post'].map((method) =>
    html(
      `${site}/form-${method}`,
      `<!doctype html><form method="${method}" action="https://${hosts[0]}/clearRecordedURIs">
        <input name="returnURL" value="${site}/after"><input name="token" value="guessed"></form><script>document.forms[0].submit()</script>`,
    ),
  ),
]

let loupe: OpenedLoupe
/** A browser tab in which the user enters addresses: another tab of the application's Chromium, which uses its proxy. */
let tab: Page

test.beforeAll(async () => {
  loupe = await openLoupe('viewer-commands')
  await importFile(loupe, 'lure.warc.gz', fileOf(captures))
  await services().viewer.open({ jobs: [1], untilWhole: true })
  await loupe.page.reload()
  tab = await loupe.page.context().newPage()
  await tab.goto(`${site}/`)
  await expect.poll(recorded).toEqual([missing])
})

test.afterAll(() => loupe.close())

const services = () => loupe.serving.engine.services
const ask = (path: string, as?: { user: string; password: string }) => {
  const { viewer, commandHost } = loupe.serving.engine
  return askOver(viewer, `http://${commandHost}/${path}`, as && { as })
}
async function recorded(): Promise<unknown> {
  const urls = JSON.parse((await ask('getRecordedURIs?format=json')).body.toString()) as string[]
  // A browser requests icons by itself; the forms request nothing else.
  return urls.filter((url) => !url.endsWith('/favicon.ico'))
}

const isAskedFor = async () => {
  await expect(tab.getByRole('heading', { name: 'Confirm clearRecordedURIs' })).toBeVisible()
  expect(await recorded()).toEqual([missing])
}

for (const from of [site, secureSite])
  for (const [number, address] of addresses.entries())
    test(`the user types ${from}/redirect${number}, which was captured as a redirect to ${address}: nothing is carried out`, async () => {
      await tab.goto(`${from}/redirect${number}`)
      await isAskedFor()
    })

for (const path of ['twice', 'refresh', 'script', 'form-get', 'form-post'])
  test(`the user types ${site}/${path}: nothing is carried out`, async () => {
    await tab.goto(`${site}/${path}`)
    await isAskedFor()
  })

test('what a script in an archived page fetches, loads and frames carries out nothing', async () => {
  await tab.goto(`${site}/after`)
  const address = addresses[2]!
  const wasFramed = await tab.evaluate(async (url) => {
    const parts = ['img', 'script', 'iframe'] as const
    const frames = parts.map(async (name) => {
      const element = document.createElement(name)
      const settled = new Promise((resolve) => {
        element.addEventListener('load', resolve)
        element.addEventListener('error', resolve)
      })
      element.src = url
      document.body.append(element)
      await settled
    })
    const body = new URLSearchParams({ returnURL: 'http://lure.test/after', token: 'guessed' })
    const bare = url.replace(/\?.*/, '')
    const fetched = [
      fetch(url, { mode: 'no-cors', credentials: 'include' }),
      fetch(bare, { mode: 'no-cors', method: 'POST', body, credentials: 'include' }),
      fetch(url, { headers: { 'proxy-authorization': 'Basic eDp5', 'user-agent': 'curl' } }),
    ]
    await Promise.allSettled([...frames, ...fetched])
    return document.querySelector('iframe')!.contentDocument !== null
  }, address)
  expect(wasFramed).toBe(false)
  expect(await recorded()).toEqual([missing])
})

test('a redirect in the frame of the interface carries out nothing', async () => {
  const { page } = loupe
  await page.getByRole('link', { name: 'Viewer', exact: true }).click()
  const answered = page.waitForResponse((response) => response.url() === addresses[2])
  await goToArchived(page, `${site}/redirect2`)
  expect((await answered).status()).toBe(403)
  expect(await recorded()).toEqual([missing])
})

test('the user confirms with the token from the settings, and the command is carried out', async () => {
  await loupe.page.getByRole('link', { name: 'Settings', exact: true }).click()
  const token = (await loupe.page.getByText(/^[\da-f]{8}-[\da-f-]{27}$/).textContent()) ?? ''
  await tab.goto(addresses[2]!)
  await isAskedFor()
  const confirm = async (typed: string) => {
    await tab.getByLabel('Command token').fill(typed)
    await tab.getByRole('button', { name: 'Run clearRecordedURIs' }).click()
  }
  await confirm('guessed')
  await expect(tab.getByRole('alert')).toHaveText('Wrong command token.')
  await isAskedFor()
  await confirm(token)
  await expect(tab).toHaveTitle('After')
  expect(await recorded()).toEqual([])
})

test('a script gives the token as the password of the proxy, and its GET is carried out', async () => {
  await tab.goto(`${site}/`)
  await expect.poll(recorded).toEqual([missing])
  const { commandUser: user, commandToken: password } = await services().system.about({})
  expect((await ask(clear)).status).toBe(403)
  expect((await ask(clear, { user, password })).status).toBe(303)
  expect(await recorded()).toEqual([])
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())
