/** Whether a path is in a folder, at any depth. Compares names only; the caller resolves links. */
import { isAbsolute, relative, sep } from 'node:path'

/** The folder itself does not lie in it. A name may begin with two dots without leading out of it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
