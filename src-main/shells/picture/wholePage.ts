/** An image of a whole page, including the part below the window. */
import type { DevTools } from './devTools.ts'

/** Maximum width and height of an image, in pixels: the largest side of a texture, into which Chromium draws.
 *  Beyond it an image repeats itself or stays empty. */
export const pictureSidePxMax = 16_384

/** Size of a page in CSS pixels. */
export interface PageSize {
  width: number
  height: number
}

/** Returns the size of the whole content, which may be larger than the window. */
export async function pageSize(page: DevTools): Promise<PageSize> {
  const { cssContentSize } = await page.send<{ cssContentSize: PageSize }>('Page.getLayoutMetrics')
  return { width: Math.ceil(cssContentSize.width), height: Math.ceil(cssContentSize.height) }
}

/** Returns the page as PNG. `isCut` is true when it is wider than `pictureSidePxMax` or higher than `heightPxMax`. */
export async function imageOf(page: DevTools, heightPxMax: number): Promise<{ bytes: Buffer; isCut: boolean }> {
  const size = await pageSize(page)
  const width = Math.min(Math.max(size.width, 1), pictureSidePxMax)
  const height = Math.min(Math.max(size.height, 1), heightPxMax)
  const bytes = await beginningOf(page, { width, height, scale: 1 })
  return { bytes, isCut: size.width > width || size.height > height }
}

/** Returns the beginning of the page as PNG: an area in CSS pixels, drawn at a scale. */
export async function beginningOf(page: DevTools, area: PageSize & { scale: number }): Promise<Buffer> {
  const { data } = await page.send<{ data: string }>('Page.captureScreenshot', {
    format: 'png',
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, ...area },
  })
  return Buffer.from(data, 'base64')
}
