/** A log-in through a provider of OpenID Connect in a real browser, and out again. The provider runs on loopback. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, test, type Browser, type Page } from '@playwright/test'
import { findChromium } from '../../src-main/shells/server/chromium.ts'
import { serve, type Serving } from '../../src-main/shells/server/serve.ts'
import { freePort } from '../../src-main/shells/testing/freePort.ts'
import { client, startProvider, type TestedProvider } from '../../src-main/shells/testing/identityProvider.ts'
import { expectAccessibleInBoth } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

const password = 'correct horse battery staple'
const bugs: unknown[] = []
let folder: string
let provider: TestedProvider
let serving: Serving
let browser: Browser
let page: Page

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-provider-'))
  const clientSecretFile = join(folder, 'secret')
  await writeFile(clientSecretFile, client.secret, { mode: 0o600 })
  const port = await freePort()
  provider = await startProvider(await freePort(), [`http://127.0.0.1:${port}`])
  serving = await serve({
    ...{ archiveFolder: join(folder, 'archive'), version: '0.0.0', port: 0 },
    public: {
      ...{ host: '127.0.0.1', port, names: [], tls: undefined, isInsecure: false },
      provider: { issuer: provider.issuer, clientId: client.id, clientSecretFile, name: 'Library' },
    },
    ...{ onBug: (error) => bugs.push(error), log: () => undefined },
  })
  await serving.engine.services.accounts.add({ name: 'anna', roles: ['viewer'], password })
  browser = await chromium.launch({ executablePath: findChromium().path ?? '', args: ['--no-sandbox'] })
  page = await (await browser.newContext()).newPage()
})
test.afterAll(async () => {
  await browser.close()
  await serving.close()
  await provider.stop()
  await rm(folder, { recursive: true, force: true })
})

const logIn = (name: string) => page.getByRole('button', { name, exact: true })

/** Logs in at the pages of the provider, and comes back. */
async function logInAtProvider(name: string): Promise<void> {
  await logIn('Log in with Library').click()
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('a person without an account comes back to a sentence', async () => {
  await page.goto(serving.publicUrl ?? '')
  await expect(logIn('Log in with Library')).toBeVisible()
  await expectAccessibleInBoth(page)
  await logInAtProvider('mallory')
  await expect(page.getByRole('alert')).toContainText('You are logged in as mallory, and Loupe has no account')
  await page.context().clearCookies()
})

test('an account logs in with the provider, and out again', async () => {
  await logInAtProvider('anna')
  await expect(page.getByRole('link', { name: 'Search', exact: true })).toBeVisible()
  expect(page.url()).not.toMatch(/token|code|provider/)
  expect(await page.context().cookies(serving.publicUrl ?? '')).not.toContainEqual(
    expect.objectContaining({ name: 'loupe-login' }),
  )
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByText('Account anna')).toBeVisible()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('heading', { name: 'Log in to Loupe' })).toBeVisible()
  expect(await serving.engine.services.sessions.list({})).toEqual([])
})

test('no bugs were reported', () => expect(bugs).toEqual([]))
