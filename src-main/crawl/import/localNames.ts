/** What lies in a job's folder beside its archive files while it imports. Each begins with a dot, which no name in the
 *  archive does, so nothing of it can be mistaken for an imported file. */
import { join } from 'node:path'

/** A file on its way in, before it has a name. */
export function partPath(folder: string, file: number): string {
  return join(folder, `.${file}.part`)
}

/** What a file has to be unpacked into before it can be read. */
export function unpackedPath(folder: string, file: number): string {
  return join(folder, `.${file}.unpacked`)
}

/** What a package says about itself, until it is in the job's metadata. */
export function documentPath(folder: string, file: number, number: number): string {
  return join(folder, `.${file}.${number}.document`)
}

/** The index lines of an archive file of the job, made while it was read through. */
export function linesPath(folder: string, name: string): string {
  return join(folder, `.${name}.cdxj`)
}
