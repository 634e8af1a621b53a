/** Chooses the seed of the sample that a run of tests covers (`src-main/world/testing/sample.ts`): `LOUPE_SAMPLE`, or else the
 *  commit. */
import { execFileSync } from 'node:child_process'
import process from 'node:process'

/** Returns the seed and stores it in the environment, so that all processes started afterwards use the same one. */
export function chosenSample(): string {
  return (process.env['LOUPE_SAMPLE'] ??= seedOfCommit())
}

/** Returns the first 32 bits of the commit; 1 without a repository, as in an archive of the sources. */
function seedOfCommit(): string {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return String(Number.parseInt(commit.slice(0, 8), 16))
  } catch (error) {
    // There is no git, or it does not know a commit here.
    if (error instanceof Error && ('status' in error || 'syscall' in error)) return '1'
    throw error
  }
}
