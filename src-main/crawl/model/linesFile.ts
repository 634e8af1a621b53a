/** The file in a job's folder that holds the index lines of one of its archive files. Its name begins with a dot, which no name in the
 *  archive does, so it is never mistaken for an archive file. */
import { join } from 'node:path'

/** Path of the index lines of the archive file `name`. */
export function linesPath(folder: string, name: string): string {
  return join(folder, `.${name}.cdxj`)
}
