/** The application's own window, headless, with Playwright's hands on it. It is started with the application's flags, not
 *  with Playwright's: those block storage in frames and would hide what the flags forbid. */
import { chromium, type Page } from '@playwright/test'
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
  const window = await open(found.path, { headless: true })
  const early = window.closed.then(({ failed }) =>
    Promise.reject(new Error(failed ?? 'the window closed before it was driven')),
  )
  const browser = await chromium.connectOverCDP(await Promise.race([window.devTools, early]))
  early.catch(() => undefined) // from here on its end is what `close` waits for
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
