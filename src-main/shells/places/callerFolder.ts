/** Which folder relative paths on the command line are meant from. `npm run loupe` and `npm start` run in the folder of our
 *  package.json, and tell in INIT_CWD where the caller is. */
import { realpathSync } from 'node:fs'

/** Undefined: the current folder. `packageFile` is our package.json; another package whose script calls an installed loupe means
 *  its own folder, which is the current one. */
export function callerFolder(
  env: Readonly<Record<string, string | undefined>>,
  { packageFile, script }: { packageFile: string; script: 'loupe' | 'start' },
): string | undefined {
  const { npm_package_json: runBy, npm_lifecycle_event: event, INIT_CWD: caller } = env
  if (runBy === undefined || event !== script || !isSameFile(runBy, packageFile)) return undefined
  return caller === undefined || caller === '' ? undefined : caller
}

/** npm names the file as it was reached, perhaps through a symbolic link. */
function isSameFile(one: string, other: string): boolean {
  return realpathSync(one) === realpathSync(other)
}
