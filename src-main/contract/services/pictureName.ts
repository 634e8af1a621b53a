/** What the file of a picture is called: of which host, and from when. Pure. */
import type { PictureForm } from './pictures.ts'

/** As much of it as `URL` says; the contract is checked without a browser and without Node. */
declare const URL: { parse(text: string): { hostname: string } | null }

/** DNS allows 253 characters, file systems 255 bytes with the rest of the name. */
const hostLengthMax = 120

export function pictureName({ url, captured, form }: { url: string; captured: string; form: PictureForm }): string {
  // A folder's page has no host; an address of IPv6 has brackets and colons, which no file name may have everywhere.
  const host = (URL.parse(url)?.hostname ?? '').replaceAll(/[^a-z0-9.-]+/gi, '-').replaceAll(/^[.-]+|[.-]+$/g, '')
  const moment = new Date(captured).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  return `${host.slice(0, hostLengthMax) || 'page'}-${moment}Z.${form}`
}
