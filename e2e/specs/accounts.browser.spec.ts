/** A server with two accounts in a real browser. Each account sees only its own collection, its role limits what it may do, and its session ends at
 *  log-out or when it is revoked. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { askOver } from '../../src-main/viewer/testing/viewerFixture.ts'
import type { Role } from '../../src-main/contract/calls/caller.ts'
import { fileOf } from '../sites/archiveFiles.ts'
import { expectAccessibleInBoth } from './openedLoupe.ts'
import { folderOf, logIn, newWindow, password, serveAccounts, type ServedAccounts } from './servedAccounts.ts'

test.describe.configure({ mode: 'serial' })

let folder: string
let served: ServedAccounts
let anna: Page
let ben: Page

/** A page about tides on a site. */
function collection(host: string, title: string): Buffer {
  const content = `<!doctype html><title>${title}</title><h1>${title}</h1><p>Tide tables of the harbour.</p>`
  return fileOf([{ url: `http://${host}/`, at: '2024-05-01T12:00:00Z', mediaType: 'text/html', content }])
}

test.beforeAll(async () => {
  folder = await folderOf('accounts')
  served = await serveAccounts(folder)
  const { harvests, jobs, search, authorities, security, accounts } = served.serving.engine.services
  for (const [name, bytes] of [
    ['maps.warc.gz', collection('maps.test', 'Maps and tides')],
    ['press.warc.gz', collection('press.test', 'Press and tides')],
  ] as const) {
    await writeFile(join(folder, name), bytes)
    const { job } = await harvests.import({ paths: [join(folder, name)] })
    await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
  }
  await search.build({ jobs: [1, 2] })
  const users = join(folder, 'users.csv')
  await writeFile(users, 'anna,maps\nben,press\n')
  await authorities.addGroup({ name: 'Library' })
  const connector = { connector: 'file', settings: { path: users }, group: 'Library' }
  await authorities.add({ kind: 'authority', name: 'Staff', ...connector })
  await security.set({ job: 1, group: 'Library', allow: ['maps'] })
  await security.set({ job: 2, group: 'Library', allow: ['press'] })
  for (const [name, roles] of [
    ['anna', ['curator']],
    ['ben', ['viewer']],
  ] as [string, Role[]][])
    await accounts.add({ name, roles, password })
  anna = await newWindow(served)
  ben = await newWindow(served)
})
test.afterAll(() => served.close())

/** Calls the engine as the interface in this window does. */
function called(page: Page, name: string, input: object): Promise<{ status: number; body: string }> {
  return page.evaluate(
    async ([path, text]) => {
      const token = window.sessionStorage.getItem('loupe.token')
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(path, { method: 'POST', headers, body: text })
      return { status: response.status, body: await response.text() }
    },
    [`/api/call/${name}`, JSON.stringify({ input })] as const,
  )
}

test('an account logs in, after a wrong password', async () => {
  await expect(anna.getByRole('heading', { name: 'Log in to Loupe' })).toBeVisible()
  await expectAccessibleInBoth(anna)
  await logIn(anna, 'anna', 'wrong horse battery staple')
  await expect(anna.getByRole('alert')).toHaveText('The name or the password is wrong.')
  await logIn(anna, 'anna')
  await expect(anna.getByRole('link', { name: 'Search', exact: true })).toBeVisible()
  await logIn(ben, 'ben')
  await expect(ben.getByRole('link', { name: 'Search', exact: true })).toBeVisible()
})

test('each finds its own collection only, in texts and among URLs', async () => {
  for (const [page, own, other] of [
    [anna, 'Maps and tides', 'Press and tides'],
    [ben, 'Press and tides', 'Maps and tides'],
  ] as const) {
    await page.getByRole('link', { name: 'Search', exact: true }).click()
    const field = page.getByRole('searchbox', { name: 'Search the text of archived documents' })
    await field.fill('tide')
    await field.press('Enter')
    const results = page.getByRole('region', { name: 'Results' })
    await expect(results.getByRole('heading', { name: own })).toBeVisible()
    await expect(results.getByRole('heading', { name: other })).toHaveCount(0)
  }
  const urlsOf = async (page: Page) =>
    (await called(page, 'search.urls', { url: '*', match: 'pattern', untilWhole: true })).body
  expect([await urlsOf(anna), await urlsOf(ben)]).toEqual([
    expect.not.stringContaining('press.test'),
    expect.not.stringContaining('maps.test'),
  ])
  expect(await urlsOf(anna)).toContain('maps.test')
})

test('each views its own collection only', async () => {
  for (const [page, own, other] of [
    [anna, 'http://maps.test/', 'http://press.test/'],
    [ben, 'http://press.test/', 'http://maps.test/'],
  ] as const) {
    const { body } = await called(page, 'viewer.openOwn', { all: true, untilWhole: true })
    const { user, password: secret } = (JSON.parse(body) as { value: { user: string; password: string } }).value
    const proxy = { server: `http://${served.serving.proxy}`, username: user, password: secret, bypass: '127.0.0.1' }
    const context = await served.browser.newContext({ proxy })
    const archived = await context.newPage()
    expect((await archived.goto(own))?.status()).toBe(200)
    await expect(archived.getByRole('heading')).toContainText('and tides')
    // What the archived page asks of the server is refused, though its account is logged in.
    const asked = await archived.evaluate(
      (address) =>
        fetch(`${address}api/call/jobs.list`, { method: 'POST', body: '{}' }).then(
          () => 'answered',
          () => 'refused',
        ),
      served.serving.publicUrl ?? '',
    )
    expect(asked).toBe('refused')
    expect((await archived.goto(other))?.status()).toBe(404)
    await context.close()
  }
})

test('a role and the gate refuse with a sentence', async () => {
  const harvest = { name: 'new', seeds: ['http://maps.test/'] }
  const refused = await called(ben, 'harvests.create', harvest)
  expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('needs the role')])
  const documents = await called(ben, 'jobs.documents', { job: 1 })
  expect([documents.status, documents.body]).toEqual([
    403,
    expect.stringContaining('captures that your account may not see'),
  ])
  expect((await called(ben, 'jobs.documents', { job: 2 })).status).toBe(200)
  expect((await called(anna, 'security.rules', {})).status).toBe(403)
  // The commands of the viewer need the role, too, though a viewing gives the token for them.
  const opened = (await called(ben, 'viewer.openOwn', { jobs: [2], untilWhole: true })).body
  const { user, commandToken } = (JSON.parse(opened) as { value: { user: string; commandToken: string } }).value
  const command = `http://${served.serving.engine.commandHost}/harvestNow?url=${encodeURIComponent('http://press.test/new')}`
  const harvested = await askOver(served.serving.engine.viewer, command, { as: { user, password: commandToken } })
  expect([harvested.status, harvested.body.toString()]).toEqual([403, expect.stringContaining('needs the role')])
})

test('the administrator is told why, and the audit log has the rules', async () => {
  const { security, archive } = served.serving.engine.services
  const users = [{ user: 'ben', domain: '' }]
  const decided = await security.decide({ users, url: 'http://maps.test/', job: 1 })
  expect(decided).toMatchObject({ maySee: false, groups: [{ group: 'Library', isAgreed: false }] })
  const { rows } = await archive.auditLog({ what: 'securityRule' })
  expect(rows).toHaveLength(2)
})

test('a log-out and a revoked session end at the log-in', async () => {
  await anna.getByRole('button', { name: 'Menu' }).click()
  await expect(anna.getByText('Account anna')).toBeVisible()
  await anna.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(anna.getByRole('heading', { name: 'Log in to Loupe' })).toBeVisible()
  const { sessions } = served.serving.engine.services
  const own = (await sessions.list({})).filter(({ account }) => account === 'ben')
  expect(own).toHaveLength(1)
  for (const { session } of own) await sessions.revoke({ session })
  await ben.getByRole('link', { name: 'Jobs', exact: true }).click()
  await expect(ben.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
  await expectAccessibleInBoth(ben)
  await ben.getByRole('button', { name: 'Log in' }).click()
  await expect(ben.getByRole('heading', { name: 'Log in to Loupe' })).toBeVisible()
})

test('no bugs were reported', () => expect(served.bugs).toEqual([]))
