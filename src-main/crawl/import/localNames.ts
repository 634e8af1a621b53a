/** Working files in the folder of a job while it imports. Each name begins with a dot, which no name in the archive does, so none
 *  can be mistaken for an imported file. */
import { join } from 'node:path'

/** A file that is being copied, before it has a name. */
export function partPath(folder: string, file: number): string {
  return join(folder, `.${file}.part`)
}

/** A file that has to be unpacked before it can be read. */
export function unpackedPath(folder: string, file: number): string {
  return join(folder, `.${file}.unpacked`)
}

/** A metadata document of a package, until it is in the job's metadata. */
export function documentPath(folder: string, file: number, number: number): string {
  return join(folder, `.${file}.${number}.document`)
}
