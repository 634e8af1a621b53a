/** With what a page is compared: another job's capture of it, visited at the same time, or what was kept when it was captured. */
import type { Archive } from '../../archive/store/archive.ts'
import type { CaptureIndex, IndexedCapture } from '../../indexes/indexes.ts'
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

/** Names of the records with a screenshot of the whole page, or of its beginning, that Browsertrix writes. */
const screenshotNames = ['urn:fullPage:', 'urn:view:']

/** Reads what was kept of a page when it was captured. */
export async function crawlTimeReference(
  archive: Pick<Archive, 'openFile'>,
  index: Pick<CaptureIndex, 'nearest'>,
  url: string,
): Promise<Reference> {
  const newest = (name: string) => index.nearest({ url: `${name}${url}`, moment: { kind: 'newest' } })
  const [picture] = screenshotNames.flatMap((name) => newest(name) ?? [])
  const screenshot = picture && (await blockAt(archive, placeOf(picture)))
  const size = screenshot && pngSize(screenshot)
  const text = newest('urn:text:')
  const textBytes = text && (await blockAt(archive, placeOf(text)))
  return {
    isPart: true,
    ...(screenshot && size && { screenshot, widthPx: size.width }),
    ...(textBytes && { text: Buffer.from(textBytes).toString('utf8') }),
  }
}

function placeOf({ filename: file, offset }: IndexedCapture): { file: string; offset: number } {
  return { file, offset }
}
