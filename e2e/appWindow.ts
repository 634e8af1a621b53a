/** Opens the application's own window, headless, and connects Playwright to it. The window is started with the application's flags:
 *  those of Playwright block storage in frames and would hide an effect of the application's flags. */
import { chromium, errors, type Browser, type Page } from '@playwright/test'
import { findChromium, type OpenWindow } from '../src-main/shells/server/chromium.ts'

/** A window of the application under the control of Playwright. */
export interface AppWindow {
  page: Page
  close(): Promise<void>
}

/** Opens a window and returns its page. `open` is `Serving.openWindow` or another function that opens a window with the application's
 *  flags. Rejects when no Chromium is installed or the window cannot be driven. */
export async function openAppWindow(
  open: (chromium: string, how: { headless: boolean }) => Promise<OpenWindow>,
): Promise<AppWindow> {
  const found = findChromium()
  if (found.path === undefined) throw new Error(`${found.why} To have one: ${found.command}`)
  const { path } = found
  const { window, browser } = await driven(() => open(path, { headless: true }), connectionsMax)
  const context = browser.contexts()[0]
  const page = context?.pages()[0] ?? (await context?.waitForEvent('page'))
  if (!page) throw new Error('the application window shows no page')
  return {
    page,
    async close() {
      await browser.close()
      window.close()
      await window.closed
    },
  }
}

/** Limits of the connection to the window's DevTools. On a busy machine Chromium sometimes answers the first request of its DevTools
 *  and none after it. The application does not use the DevTools, so a window that does not respond is closed and another one is
 *  opened, up to three times; the last attempt may take as long as a test. */
const connectionsMax = 3
const connectionMsMax = [180_000, 60_000, 20_000]

async function driven(
  open: () => Promise<OpenWindow>,
  left: number,
): Promise<{ window: OpenWindow; browser: Browser }> {
  const window = await open()
  const early = window.closed.then(({ failed }) =>
    Promise.reject(new Error(failed ?? 'the window closed before it was driven')),
  )
  early.catch(() => undefined) // after the connection, `close` waits for the end of the window
  try {
    const devTools = await Promise.race([window.devTools, early])
    return { window, browser: await chromium.connectOverCDP(devTools, { timeout: connectionMsMax[left - 1] ?? 0 }) }
  } catch (error) {
    window.close()
    await window.closed
    if (left <= 1 || !(error instanceof errors.TimeoutError)) throw error
    return driven(open, left - 1)
  }
}
