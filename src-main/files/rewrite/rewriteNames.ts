/** How files are called that were made from others: `x.warc` becomes `x.salvaged.warc.gz`. */
import { basename } from 'node:path'
import type { RewriteAction } from './rewriteFile.ts'

const words: Record<RewriteAction, string> = {
  recompress: 'recompressed',
  convert: 'converted',
  salvage: 'salvaged',
}

/** Packed or not, still written by Heritrix or not. */
const ending = /\.((w?arc)(\.(gz|zst))?(\.open)?|har)$/i

/** `form`: what the new file holds. */
export function rewrittenName(source: string, action: RewriteAction, form: 'warc' | 'arc'): string {
  return `${basename(source).replace(ending, '')}.${words[action]}.${form}.gz`
}

/** Whether a file of this name was made by this action: in a folder it is no source of a second round. */
export function isRewritten(name: string, action: RewriteAction): boolean {
  return new RegExp(`\\.${words[action]}\\.w?arc\\.gz$`, 'i').test(name)
}
