/** File names of pictures, made from the host and the time of capture. Pure. */
import type { PictureForm } from './pictures.ts'

/** The part of `URL` that is used here; the contract is compiled without the types of browsers and Node. */
declare const URL: { parse(text: string): { hostname: string } | null }

/** DNS allows 253 characters, file systems 255 bytes including the rest of the name. */
const hostLengthMax = 120

export function pictureName({ url, captured, form }: { url: string; captured: string; form: PictureForm }): string {
  // The page of a folder has no host; an IPv6 address has brackets and colons, which not every file system allows in names.
  const host = (URL.parse(url)?.hostname ?? '').replaceAll(/[^a-z0-9.-]+/gi, '-').replaceAll(/^[.-]+|[.-]+$/g, '')
  const moment = new Date(captured).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  return `${host.slice(0, hostLengthMax) || 'page'}-${moment}Z.${form}`
}
