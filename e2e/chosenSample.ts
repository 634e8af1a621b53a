/** The seed of the sample that a run of tests covers (`src-main/world/testing/sample.ts`): `LOUPE_SAMPLE`, or else the commit. */
import { execFileSync } from 'node:child_process'
import process from 'node:process'

/** The same for every process of a run: those that are started from here on inherit it. */
export function chosenSample(): string {
  return (process.env['LOUPE_SAMPLE'] ??= seedOfCommit())
}

/** Where there is no repository, as in an archive of the sources: always the same. */
function seedOfCommit(): string {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return String(Number.parseInt(commit.slice(0, 8), 16))
  } catch {
    return '1'
  }
}
