/** A server in front of Loupe, with a log-in of its own, in a real browser: the account needs no further log-in, and logs out in front. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { createProxyServer } from 'http-proxy-3'
import { freePort } from '../../src-main/shells/testing/freePort.ts'
import { expectAccessibleInBoth } from './openedLoupe.ts'
import { folderOf, password, serveAccounts, type ServedAccounts } from './servedAccounts.ts'

test.describe.configure({ mode: 'serial' })

const secret = 'f7'.repeat(32)
let front: Server
let origin: string
/** Port at which Loupe listens for the server in front. */
let behind: number
let served: ServedAccounts

/** Name of the account in a Basic log-in (RFC 7617) with the right password. */
function nameIn({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  const [name, given] = atob(/^Basic (.+)$/.exec(authorization)?.[1] ?? '').split(':')
  return given === password ? name : undefined
}

test.beforeAll(async () => {
  const folder = await folderOf('front')
  const secretFile = join(folder, 'secret')
  await writeFile(secretFile, secret, { mode: 0o600 })
  behind = await freePort()
  const target = `http://127.0.0.1:${behind}`
  const proxy = createProxyServer({})
  front = createServer((request, response) => {
    const name = nameIn(request)
    if (name === undefined)
      return response.writeHead(401, { 'www-authenticate': 'Basic realm="Library"' }).end('Log in here.')
    const headers = { 'loupe-proxy-secret': secret, 'x-remote-user': name }
    void proxy.web(request, response, { target, headers })
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  const proxySetting = { secretFile, accountHeader: 'X-Remote-User' }
  served = await serveAccounts(folder, { port: behind, names: [origin], proxy: proxySetting })
  await served.serving.engine.services.accounts.add({ name: 'anna', roles: ['viewer'], password })
})
test.afterAll(async () => {
  front.closeAllConnections()
  front.close()
  await served.close()
})

test('an account that the server in front has logged in is in Loupe at once, and logs out there', async () => {
  const context = await served.browser.newContext({ httpCredentials: { username: 'anna', password } })
  const page = await context.newPage()
  await page.goto(`${origin}/`)
  await expect(page.getByRole('link', { name: 'Search', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByText('Account anna')).toBeVisible()
  await expect(page.getByText('The server in front of Loupe logged you in. Log out there.')).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toHaveCount(0)
  await expectAccessibleInBoth(page)
  // The stream of events is there, too: nothing says that the connection is lost.
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.getByText('You are logged out')).toHaveCount(0)
  await served.serving.engine.services.accounts.remove({ name: 'anna' })
  await page.reload()
  await expect(page.getByText('you are logged in as anna, and Loupe has no account with this name')).toBeVisible()
  await context.close()
})

test('a request without the secret is refused by the port behind it', async () => {
  const page = await (await served.browser.newContext()).newPage()
  const answer = await page.goto(`http://127.0.0.1:${behind}/`)
  expect([answer?.status(), await answer?.text()]).toEqual([403, expect.stringContaining('Refused:')])
})

test('no bugs were reported', () => expect(served.bugs).toEqual([]))
