/** A log-in through a provider of OpenID Connect in a real browser, and out again. The provider runs on loopback. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { freePort } from '../../src-main/shells/testing/freePort.ts'
import { client, startProvider, type TestedProvider } from '../../src-main/shells/testing/identityProvider.ts'
import { expectAccessibleInBoth } from './openedLoupe.ts'
import { folderOf, newWindow, password, serveAccounts, type ServedAccounts } from './servedAccounts.ts'

test.describe.configure({ mode: 'serial' })

let provider: TestedProvider
let served: ServedAccounts
let page: Page

test.beforeAll(async () => {
  const folder = await folderOf('provider')
  const clientSecretFile = join(folder, 'secret')
  await writeFile(clientSecretFile, client.secret, { mode: 0o600 })
  const port = await freePort()
  provider = await startProvider(await freePort(), [`http://127.0.0.1:${port}`])
  const setting = { issuer: provider.issuer, clientId: client.id, clientSecretFile, name: 'Library' }
  served = await serveAccounts(folder, { port, provider: setting })
  await served.serving.engine.services.accounts.add({ name: 'anna', roles: ['viewer'], password })
  page = await newWindow(served)
})
test.afterAll(async () => {
  await served.close()
  await provider.stop()
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
  expect(await page.context().cookies(served.serving.publicUrl ?? '')).not.toContainEqual(
    expect.objectContaining({ name: 'loupe-login' }),
  )
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByText('Account anna')).toBeVisible()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('heading', { name: 'Log in to Loupe' })).toBeVisible()
  expect(await served.serving.engine.services.sessions.list({})).toEqual([])
})

test('no bugs were reported', () => expect(served.bugs).toEqual([]))
