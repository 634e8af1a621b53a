/** The application's own window, headless, with Playwright's hands on it. It is started with the application's flags, not
 *  with Playwright's: those block storage in frames and would hide what the flags forbid. */
import { chromium, errors, type Browser, type Page } from '@playwright/test'
import { findChromium, type OpenWindow } from '../src-main/shells/server/chromium.ts'

export interface AppWindow {
  page: Page
  close(): Promise<void>
}

/** `open`: `Serving.openWindow`, or anything that opens a window with the application's flags. */
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

/** Chromium sometimes answers the greeting of its DevTools and nothing after it, on a machine that is busy with others; the
 *  application does not use them, so a window that cannot be driven is closed, and another one opened. The last one gets as long as a
 *  test has. */
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
  early.catch(() => undefined) // once it is driven, its end is what `close` waits for
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
