/** Names of rewritten files: `x.warc` becomes `x.salvaged.warc.gz`. */
import { basename } from 'node:path'
import type { RewriteAction } from './rewriteFile.ts'

/** The word that each action adds to a name. */
const words: Record<RewriteAction, string> = {
  recompress: 'recompressed',
  convert: 'converted',
  salvage: 'salvaged',
}

/** Compressed or not, still written by Heritrix or not. */
const ending = /\.((w?arc)(\.(gz|zst))?(\.open)?|har)$/i

/** Returns the name of the new file. `form` is its format. */
export function rewrittenName(source: string, action: RewriteAction, form: 'warc' | 'arc'): string {
  return `${basename(source).replace(ending, '')}.${words[action]}.${form}.gz`
}

/** Whether a file of this name was made by this action: in a folder it is not a source for another run. */
export function isRewritten(name: string, action: RewriteAction): boolean {
  return new RegExp(`\\.${words[action]}\\.w?arc\\.gz$`, 'i').test(name)
}
