/**
 * A picture of an archived page by a separate Chromium: without a window, with a new profile, inside the viewer proxy, and controlled over
 * a pipe. The user's window is not used: a frame in it cannot be captured whole, and a program that controls it has all rights of the user.
 * So the page is loaded again, as a first party; the effects of the user's actions are not in the picture.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DrawnPage, PageToDraw } from '../../app/given/drawnPage.ts'
import { archivedAddress } from '../../contract/text/viewerAddresses.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { withText } from '../picture/pngText.ts'
import { imageTexts, printOptions } from '../picture/provenance.ts'
import { imageOf, pictureSidePxMax } from '../picture/wholePage.ts'
import { drawingArguments } from './chromiumArguments.ts'
import { openPage, type DevToolsPage } from './devToolsPipe.ts'
import { identify } from './identify.ts'
import { pageLoading } from './pageLoading.ts'
import { layOut, settled } from './settledPage.ts'
import { controlled, startPiped } from './pipedChromium.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** Time limit for a picture: a start of Chromium, a slow page and a long image. */
const drawMsMax = 120_000

/** Draws the page. Rejects with `Fault` unreachable. */
export async function drawPage(path: string, wanted: PageToDraw): Promise<DrawnPage> {
  const chromium = await startPiped(path, {
    profilePrefix: join(tmpdir(), 'loupe-picture-'),
    argumentsFor: (profile) => drawingArguments({ ...wanted, ...profile }),
  })
  try {
    return await controlled(chromium, {
      run: async (pipes) => drawn(await openPage(pipes), wanted),
      msMax: drawMsMax,
      late: textOf(message('browser.drawLate', { seconds: drawMsMax / 1000 })),
    })
  } finally {
    await chromium.end()
  }
}

/** Loads the page through the proxy, waits until it is quiet, and draws it. The bytes are empty where the archive
 *  has no capture. */
async function drawn(page: DevToolsPage, wanted: PageToDraw): Promise<DrawnPage> {
  const { widthPx, enter, form, made, software } = wanted
  await page.send('Page.enable')
  await page.send('Network.enable')
  await layOut(page, { width: widthPx })
  await identify(page, wanted)
  const loading = pageLoading(page)
  const { errorText } = await page.send<{ errorText?: string }>('Page.navigate', { url: enter })
  if (errorText !== undefined) throw new Fault('unreachable', message('browser.notLoaded', { problem: errorText }))
  const isLoaded = await settled(page, loading, { widthPx, heightPxMax: pictureSidePxMax })
  const { url, captured } = loading.document()
  if (captured === null) return { bytes: new Uint8Array(0), url, captured, isCut: false, isLoaded }
  const provenance = { url: archivedAddress(url), captured, made, software }
  const facts = { url: provenance.url, captured, isLoaded }
  if (form === 'pdf') {
    const { data } = await page.send<{ data: string }>('Page.printToPDF', printOptions(provenance))
    return { ...facts, bytes: Buffer.from(data, 'base64'), isCut: false }
  }
  const { bytes, isCut } = await imageOf(page, pictureSidePxMax)
  return { ...facts, bytes: withText(bytes, imageTexts(provenance)), isCut }
}
