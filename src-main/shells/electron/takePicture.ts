/** A picture of the current content of a view: the page that the user sees, with the effects of their actions. */
import { writeFile } from 'node:fs/promises'
import { app, type WebContents } from 'electron'
import { archivedAddress } from '../../contract/text/viewerAddresses.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { Picture } from '../../contract/services/pictures.ts'
import { withText } from '../picture/pngText.ts'
import { electronPrintOptions, imageTexts, type Provenance } from '../picture/provenance.ts'
import { imageOf, pictureSidePxMax } from '../picture/wholePage.ts'
import type { PictureWanted } from './ipc.ts'
import { message } from '../../contract/words/message.ts'

/** Takes the picture. Rejects with `Fault` refused when the file cannot be written. */
export async function takePicture(page: WebContents, { form, path, captured }: PictureWanted): Promise<Picture> {
  const made = new Date().toISOString()
  const provenance = { url: archivedAddress(page.getURL()), captured, made, software: `Loupe/${app.getVersion()}` }
  const isLoaded = !page.isLoading()
  const { bytes, isCut } =
    form === 'pdf'
      ? { bytes: await page.printToPDF(electronPrintOptions(provenance)), isCut: false }
      : await wholeImage(page, provenance)
  try {
    await writeFile(path, bytes)
  } catch (error) {
    throw new Fault('refused', message('picture.unwritten', { problem: String(error) }), { cause: error })
  }
  return { path, bytes: bytes.length, url: provenance.url, captured, made, isCut, isLoaded }
}

/**
 * Takes an image of the whole page. Electron's `capturePage` covers only the window; the DevTools protocol has no such limit, and inside
 * the process it needs no port.
 */
async function wholeImage(page: WebContents, provenance: Provenance): Promise<{ bytes: Buffer; isCut: boolean }> {
  page.debugger.attach()
  try {
    const { bytes, isCut } = await imageOf(
      {
        send: <Result>(method: string, parameters?: object) =>
          page.debugger.sendCommand(method, parameters) as Promise<Result>,
      },
      pictureSidePxMax,
    )
    return { bytes: withText(bytes, imageTexts(provenance)), isCut }
  } finally {
    page.debugger.detach()
  }
}
