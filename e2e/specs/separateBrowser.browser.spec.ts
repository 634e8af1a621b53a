/** A view in a separate browser next to Loupe: a button starts it, it needs no typed credentials, shows the pages of the view
 *  over http and https, reaches nothing else, and ends with the view, together with its profile. */
import { existsSync } from 'node:fs'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { chromium, expect, test, type Browser, type Page } from '@playwright/test'
import { separateBrowsers } from '../../src-main/shells/server/separateBrowsers.ts'
import { findChromium } from '../../src-main/shells/server/chromium.ts'
import { fileOf } from '../sites/archiveFiles.ts'
import { expectAccessibleInBoth, openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.describe.configure({ mode: 'serial' })

let loupe: OpenedLoupe
let page: Page
let live: Server
const heard: string[] = []
const chosen = process.env['LOUPE_CHROMIUM']

test.beforeAll(async () => {
  live = createServer((request, response) => {
    heard.push(request.url ?? '')
    response.end('live')
  })
  await new Promise<void>((listening) => live.listen(0, '127.0.0.1', listening))
  loupe = await openLoupe('beside')
  page = loupe.page
  const path = join(loupe.folder, 'pages.warc.gz')
  await writeFile(path, fileOf(['http', 'https'].map(capture)))
  const { harvests, jobs } = loupe.serving.engine.services
  const { job } = await harvests.import({ paths: [path] })
  await expect.poll(async () => (await jobs.show({ job })).ended).not.toBeNull()
  await useHeadless()
  await page.reload()
})

test.afterAll(async () => {
  process.env['LOUPE_CHROMIUM'] = chosen
  if (chosen === undefined) delete process.env['LOUPE_CHROMIUM']
  await loupe.close()
  live.close()
})

const liveUrl = (path: string) => `http://127.0.0.1:${(live.address() as AddressInfo).port}/${path}`

function capture(scheme: string) {
  const content = `<!doctype html><title>Beside</title><h1>Shown over ${scheme}</h1>
    <img src="${liveUrl('img')}"><iframe src="${liveUrl('frame')}"></iframe><script>fetch('${liveUrl('fetch')}').catch(() => 0)</script>`
  return { url: `${scheme}://beside.test/`, at: '2012-03-04T05:06:07Z', mediaType: 'text/html', content }
}

/** Makes Loupe start Chromium headless and with a debugging port for this test. The application's own window is already open. */
async function useHeadless(): Promise<void> {
  const wrapper = join(loupe.folder, 'chromium')
  const { path } = findChromium()
  await writeFile(wrapper, `#!/bin/sh\nexec "${path}" --headless --remote-debugging-port=0 "$@"\n`)
  await chmod(wrapper, 0o755)
  process.env['LOUPE_CHROMIUM'] = wrapper
}

async function profiles(): Promise<string[]> {
  const { profilePrefix } = separateBrowsers(loupe.archive)
  const names = await readdir(dirname(profilePrefix))
  return names
    .filter((name) => name.startsWith(basename(profilePrefix)))
    .map((name) => join(dirname(profilePrefix), name))
}

let beside: Browser

test('it is opened by a button, and shows the page in its own viewing session', async () => {
  await page.getByRole('link', { name: 'Viewer', exact: true }).click()
  await page.getByRole('button', { name: 'Open viewer' }).click()
  await expect(page.frameLocator('iframe[title="Archived page"]').getByRole('heading')).toHaveText('Shown over http')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'View in another browser…' }).click()
  const dialog = page.getByRole('dialog', { name: 'View in another browser' })
  await dialog.getByRole('button', { name: 'Start viewing session' }).click()
  await expectAccessibleInBoth(page)
  const open = dialog.getByRole('button', { name: 'Open browser' })
  await open.click()
  await expect(open).toHaveAttribute('data-loading', 'true')
  await expect(open).not.toHaveAttribute('data-loading', 'true')
  const [profile, ...others] = await profiles()
  expect(others).toEqual([])
  const [port] = (await readFile(join(profile!, 'DevToolsActivePort'), 'utf8')).split('\n')
  beside = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  await expect(shownBeside().getByRole('heading')).toHaveText('Shown over http')
})

test('no login is needed over http or https or in another tab, and each request belongs to its session', async () => {
  const [own] = await loupe.serving.engine.services.viewer.own({})
  const before = (await loupe.serving.engine.services.viewer.answers({})).at(-1)?.id ?? 0
  const another = await beside.contexts()[0]!.newPage()
  for (const tab of [shownBeside(), another])
    for (const scheme of ['https', 'http']) {
      await tab.goto(`${scheme}://beside.test/`)
      await expect(tab.getByRole('heading')).toHaveText(`Shown over ${scheme}`)
    }
  const answers = await loupe.serving.engine.services.viewer.answers({ after: before })
  expect(answers.filter(({ url, found }) => found && url.endsWith('://beside.test/'))).toHaveLength(4)
  expect(new Set(answers.map(({ viewing }) => viewing))).toEqual(new Set([own!.user]))
})

test('nothing that a page requests or the user types leaves the archive', async () => {
  await shownBeside().goto(liveUrl('typed'))
  await expect(shownBeside().locator('body')).toContainText(liveUrl('typed'))
  const [own] = await loupe.serving.engine.services.viewer.own({})
  const misses = await loupe.serving.engine.services.missing.list({ viewing: own!.user })
  expect(misses.map(({ url }) => url)).toEqual(expect.arrayContaining(['img', 'frame', 'fetch', 'typed'].map(liveUrl)))
  expect(heard).toEqual([])
  // Proves that the server records requests.
  await fetch(liveUrl('control'))
  expect(heard).toEqual(['/control'])
})

test('one is started for a session, and ends with it', async () => {
  const dialog = page.getByRole('dialog', { name: 'View in another browser' })
  await dialog.getByRole('button', { name: 'Open browser' }).click()
  await expect(dialog.getByRole('alert')).toContainText('already: close it first.')
  const gone = new Promise<void>((resolve) => beside.on('disconnected', () => resolve()))
  const [profile] = await profiles()
  await dialog.getByRole('button', { name: 'End session' }).click()
  await gone
  await expect.poll(() => existsSync(profile!)).toBe(false)
})

test('an interface that may be on another machine shows the command line only', async () => {
  await page.evaluate(() => sessionStorage.removeItem('loupe.window'))
  await page.reload()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'View in another browser…' }).click()
  const dialog = page.getByRole('dialog', { name: 'View in another browser' })
  await dialog.getByRole('button', { name: 'Start viewing session' }).click()
  await expect(dialog.getByRole('article')).toContainText('--proxy-bypass-list=<-loopback>')
  await expect(dialog.getByRole('button', { name: 'Open browser' })).toHaveCount(0)
})

test('no bugs or page errors were reported', () => loupe.expectNoBugs())

function shownBeside(): Page {
  return beside.contexts()[0]!.pages()[0]!
}
