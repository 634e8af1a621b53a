/** A server with accounts in the process of a spec, and a browser for its windows. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, type Browser, type Page } from '@playwright/test'
import { findChromium } from '../../src-main/shells/server/chromium.ts'
import type { PublicSetting } from '../../src-main/shells/server/publicPort.ts'
import { serve, type Serving } from '../../src-main/shells/server/serve.ts'

/** The password of all accounts. */
export const password = 'correct horse battery staple'

/** Path of the archive in the folder of a spec. */
export const archiveIn = (folder: string) => join(folder, 'archive')

/** What is served. `close` ends all of it, and removes the folder. */
export interface ServedAccounts {
  serving: Serving
  browser: Browser
  /** Errors that are bugs. */
  bugs: unknown[]
  close(): Promise<void>
}

/** Makes the folder of a spec. */
export function folderOf(name: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `loupe-${name}-`))
}

/** Serves the archive of a folder on a port for accounts. */
export async function serveAccounts(folder: string, setting: Partial<PublicSetting> = {}): Promise<ServedAccounts> {
  const bugs: unknown[] = []
  const serving = await serve({
    ...{ archiveFolder: archiveIn(folder), version: '0.0.0', port: 0 },
    public: { host: '127.0.0.1', port: 0, names: [], tls: undefined, isInsecure: false, ...setting },
    ...{ onBug: (error) => bugs.push(error), log: () => undefined },
  })
  const browser = await chromium.launch({ executablePath: findChromium().path ?? '', args: ['--no-sandbox'] })
  return {
    ...{ serving, browser, bugs },
    async close() {
      await browser.close()
      await serving.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Opens a window without a log-in. */
export async function newWindow({ browser, serving }: ServedAccounts): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  await page.goto(serving.publicUrl ?? '')
  return page
}

/** Fills in the log-in screen of a window. */
export async function logIn(page: Page, name: string, secret = password): Promise<void> {
  await page.getByRole('textbox', { name: 'Account' }).fill(name)
  await page.getByLabel(/^Password/).fill(secret)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** Opens a window in which an account is logged in. */
export async function loggedIn(served: ServedAccounts, name: string): Promise<Page> {
  const page = await newWindow(served)
  await logIn(page, name)
  await expect(page.getByRole('link', { name: 'Search', exact: true })).toBeVisible()
  return page
}
