/** Whether a path is in a folder, at any depth. Compares names only; the caller resolves links. */
import { isAbsolute, relative, sep } from 'node:path'

/** Whether `path` is inside `folder`; false for the folder itself. A name that begins with two dots may still be inside. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
