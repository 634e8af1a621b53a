/**
 * The folder that relative paths on the command line refer to. `npm run loupe` and `npm start` run in the folder of this package.json, and
 * pass the caller's folder in INIT_CWD.
 */
import { realpathSync } from 'node:fs'

/**
 * Returns the caller's folder; undefined means the current folder. `packageFile` is this package.json. The script of another package that
 * calls an installed loupe means that package's folder, which is the current one.
 */
export function callerFolder(
  env: Readonly<Record<string, string | undefined>>,
  { packageFile, script }: { packageFile: string; script: 'loupe' | 'start' },
): string | undefined {
  const { npm_package_json: runBy, npm_lifecycle_event: event, INIT_CWD: caller } = env
  if (runBy === undefined || event !== script || !isSameFile(runBy, packageFile)) return undefined
  return caller === undefined || caller === '' ? undefined : caller
}

/** Whether both paths are the same file: npm gives the path by which the file was reached, perhaps through a symbolic link. */
function isSameFile(one: string, other: string): boolean {
  return realpathSync(one) === realpathSync(other)
}
