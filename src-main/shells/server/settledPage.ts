/** A page that has come to rest, with the content that loads only when it becomes visible. */
import { pageSize } from '../picture/wholePage.ts'
import type { DevToolsPage } from './devToolsPipe.ts'
import type { PageLoading } from './pageLoading.ts'

/** Height of the window while the page is laid out. */
const windowHeightPx = 900

/** Waits until the page has loaded, then makes the window as high as the page for a moment: images far below load only when they become
 *  visible. `look` acts on the page before the window grows. Returns false when the page did not come to rest in time. */
export async function settled(
  page: DevToolsPage,
  loading: PageLoading,
  { widthPx: width, heightPxMax, look }: { widthPx: number; heightPxMax: number; look?: () => Promise<void> },
): Promise<boolean> {
  const isLoaded = await loading.done()
  await look?.()
  const { height } = await pageSize(page)
  await layOut(page, { width, height: Math.min(Math.max(height, windowHeightPx), heightPxMax) })
  const isQuiet = await loading.quiet()
  await layOut(page, { width })
  return isLoaded && isQuiet
}

/** Sets the size of the window. */
export async function layOut(
  page: DevToolsPage,
  { width, height = windowHeightPx }: { width: number; height?: number },
): Promise<void> {
  await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })
}
