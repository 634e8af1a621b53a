/** What the archive calls a file that came from elsewhere: its own name where that is fit for every file system and free.
 *  A name in a package is put behind the package's own, since every package has its `data.warc.gz`. */
import { basename } from 'node:path'
import { nameProblem } from '../../archive/files/names.ts'
import { nameLengthMax } from '../../archive/files/limits.ts'

/** What is behind the last name: replay tools and people know archive files by it, so it stays at the end. */
const suffix = /(?:\.w?arc)?(?:\.gz|\.zst)?$/i

/** `converted`: it was no archive file, and what became of it is a compressed WARC. */
export function wantedName({ path, entry }: { path: string; entry: string }, converted = false): string {
  const parts = [path, ...entry.split('!')].filter((part) => part !== '').map((part) => basename(part))
  const last = parts.pop() ?? ''
  const packages = parts.map((part) => part.replace(/\.(wacz|zip)$/i, ''))
  const name = [...packages, last].join('-')
  return fit(converted ? `${name}.warc.gz` : name)
}

/** The `number`-th name for files that want the same one: `pages-2.warc.gz` beside `pages.warc.gz`. */
export function numbered(name: string, number: number): string {
  if (number === 1) return name
  const end = suffix.exec(name)?.[0] ?? ''
  const mark = `-${number}`
  return `${name.slice(0, Math.min(name.length - end.length, nameLengthMax - end.length - mark.length))}${mark}${end}`
}

function fit(name: string): string {
  // Letters with accents lose them, whatever form their Unicode has; everything else that is not allowed becomes a line.
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._+=@~,-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .replace(/\.+$/, '')
  const short = shortened(plain)
  return nameProblem(short) === undefined ? short : shortened(`file-${plain}`).replace(/[-.]+$/, '')
}

function shortened(name: string): string {
  const end = suffix.exec(name)?.[0] ?? ''
  const stem = name.slice(0, Math.min(name.length, nameLengthMax) - end.length)
  return `${stem}${end}`.replace(/\.+$/, '')
}
