/** With what a page is compared: another job's capture of it or the live page, visited at the same time, or what was kept when it was captured. */
import type { Archive } from '../../archive/store/archive.ts'
import type { NotCompared } from '../../contract/services/pageAudits.ts'
import type { CaptureIndex, IndexedCapture, Moment } from '../../indexes/indexes.ts'
import type { VisitedPage } from '../model/pageBrowser.ts'
import { blockAt } from '../records/recordContent.ts'
import { pngSize } from './pictureDifference.ts'

/** The other picture and text of a page, as far as there are any. */
export interface Reference {
  screenshot?: Uint8Array
  /** Width of the screenshot: the page is laid out with the same. */
  widthPx?: number
  text?: string
  /** The screenshot may show only the beginning of the page. */
  isPart: boolean
}

/** Names of the records that Browsertrix writes, the best first: the whole page at the end of the visit and at its beginning, or the window. */
const screenshotNames = ['urn:fullPageFinal:', 'urn:fullPage:', 'urn:view:']
/** The text at the end of the visit is written only if it has changed. */
const textNames = ['urn:textFinal:', 'urn:text:']

interface Parts {
  archive: Pick<Archive, 'openFile'>
  index: Pick<CaptureIndex, 'nearest'>
  /** Whether an audit wrote the record: an import can have it in the same file as the captures. */
  isOfAudit: (url: string, place: { file: string; offset: number }) => boolean
}

/** Reads what was kept of a page when it was captured. */
export async function crawlTimeReference(
  { archive, index, isOfAudit }: Parts,
  url: string,
): Promise<Reference | NotCompared> {
  const page = index.nearest({ url, moment: { kind: 'newest' } })
  const moment: Moment = page ? { kind: 'nearest', atMs: page.timestampMs } : { kind: 'newest' }
  const keptAs = (name: string) => {
    const found = index.nearest({ url: `${name}${url}`, moment })
    return found === undefined || isOfAudit(url, placeOf(found)) ? [] : [found]
  }
  const [picture] = screenshotNames.flatMap(keptAs)
  const screenshot = picture && (await blockAt(archive, placeOf(picture)))
  const size = screenshot && pngSize(screenshot)
  const [text] = textNames.flatMap(keptAs)
  const textBytes = text && (await blockAt(archive, placeOf(text)))
  if (!size && !textBytes) return 'notKept'
  return {
    isPart: true,
    ...(screenshot && size && { screenshot, widthPx: size.width }),
    ...(textBytes && { text: Buffer.from(textBytes).toString('utf8') }),
  }
}

/** What a visited page is compared with. */
export function referenceOf({ status, screenshot, text }: VisitedPage): Reference | NotCompared {
  if (status === null) return 'noCapture'
  return status >= 400 ? 'errorStatus' : { screenshot, text, isPart: false }
}

function placeOf({ filename: file, offset }: IndexedCapture): { file: string; offset: number } {
  return { file, offset }
}
