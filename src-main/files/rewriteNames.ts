/** How files are called that were made from others: `x.warc` becomes `x.salvaged.warc.gz`. */
import { basename } from 'node:path'
import type { RewriteDeed } from './rewriteFile.ts'

const words: Record<RewriteDeed, string> = {
  recompress: 'recompressed',
  convert: 'converted',
  salvage: 'salvaged',
}

/** Packed or not, still written by Heritrix or not. */
const ending = /\.((w?arc)(\.(gz|zst))?(\.open)?|har)$/i

/** `form`: what the new file holds. */
export function rewrittenName(source: string, deed: RewriteDeed, form: 'warc' | 'arc'): string {
  return `${basename(source).replace(ending, '')}.${words[deed]}.${form}.gz`
}

/** Whether a file of this name was made by this deed: in a folder it is no source of a second round. */
export function isRewritten(name: string, deed: RewriteDeed): boolean {
  return new RegExp(`\\.${words[deed]}\\.w?arc\\.gz$`, 'i').test(name)
}
