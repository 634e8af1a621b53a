/** Names of imported files in the archive: the file's own name if it is valid on every file system and free. The name of a file
 *  in a package is prefixed with that of the package, since every package has its `data.warc.gz`. */
import { basename } from 'node:path'
import { nameProblem } from '../../archive/files/names.ts'
import { nameLengthMax } from '../../archive/files/limits.ts'

/** Extension of an archive file. It stays at the end of the name, since users and replay tools recognise the file by it. */
const suffix = /(?:\.w?arc)?(?:\.gz|\.zst)?$/i

/** The name that a file should get. `converted` means that it was converted to a compressed WARC. */
export function wantedName({ path, entry }: { path: string; entry: string }, converted = false): string {
  const parts = [path, ...entry.split('!')].filter((part) => part !== '').map((part) => basename(part))
  const last = parts.pop() ?? ''
  const packages = parts.map((part) => part.replace(/\.(wacz|zip)$/i, ''))
  const name = [...packages, last].join('-')
  return fit(converted ? `${name}.warc.gz` : name)
}

/** The `number`-th name for files that want the same one, such as `pages-2.warc.gz` next to `pages.warc.gz`. */
export function numbered(name: string, number: number): string {
  if (number === 1) return name
  const end = suffix.exec(name)?.[0] ?? ''
  const mark = `-${number}`
  return `${name.slice(0, Math.min(name.length - end.length, nameLengthMax - end.length - mark.length))}${mark}${end}`
}

function fit(name: string): string {
  // Accents are removed, in every normalization form of Unicode; any other character that is not allowed becomes a hyphen.
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
