/** Finds most mistakes in less than a minute (`npm run test:quick`): types and format, lint of the changed files, and the unit tests
 *  of the changed floors. Changed files are those that differ from the main branch, in commits or in the working tree; on the main
 *  branch without local changes, those of its last commit. The slow tests are left to `npm test`. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join, sep } from 'node:path'
import { execute } from './execute.ts'
import { typeChecks } from './typeChecks.ts'

const top = join(import.meta.dirname, '..')

/** Tests that each take longer than the rest of their floor. */
const slowTests = [
  'src-main/archive/faults.test.ts',
  'src-main/formats/records/corpora.test.ts',
  'src-main/simulation/simulation.test.ts',
]
/** Tests that read every source file. */
const alwaysTested = ['src-main/floors.test.ts', 'src-main/sourceCheck.test.ts']

const changed = changedFiles().filter((path) => existsSync(join(top, path)))
const code = changed.filter((path) => /\.(tsx?|[cm]?js)$/.test(path))
const floors = [...new Set(changed.flatMap((path) => floorOf(path) ?? []))]
console.log(`${changed.length} changed files; units of: ${floors.join(', ') || 'no floor'}`)

const failed: string[] = []
const checks = [
  ...typeChecks,
  ...(code.length > 0 ? [{ name: 'Lint', words: ['oxlint', ...code] }] : []),
  { name: 'Format', words: ['oxfmt', '--check'] },
  { name: 'Lint: knip', words: ['knip'] },
]
const units = [...alwaysTested, ...floors.flatMap(testsOf).filter((test) => !slowTests.includes(test))]

const began = performance.now()
await Promise.all([inTurn(), inTurn()])
await take({ name: 'Units', words: ['vitest', 'run', ...units] })
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(failed.length > 0 ? `\n✗ ${failed.join(', ')} (${seconds} s)` : `\n✓ All good (${seconds} s)`)
process.exitCode = failed.length > 0 ? 1 : 0

async function inTurn(): Promise<void> {
  for (let next = checks.shift(); next; next = checks.shift()) await take(next)
}

async function take({ name, words }: { name: string; words: string[] }): Promise<void> {
  if ((await execute(words)) !== 0) failed.push(name)
}

function changedFiles(): string[] {
  const main = ['origin/main', 'main'].find((name) => git('rev-parse', '--verify', '--quiet', name).length > 0)
  const base = main === undefined ? [] : git('merge-base', 'HEAD', main)
  const untracked = git('ls-files', '--others', '--exclude-standard')
  const since = (commit = 'HEAD') => [...git('diff', '--name-only', commit), ...untracked]
  const found = since(base[0])
  return found.length > 0 ? found : since('HEAD~1')
}

/** Runs git and returns the lines of its output; none when it fails. */
function git(...words: string[]): string[] {
  try {
    const printed = execFileSync('git', words, { cwd: top, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return printed.split('\n').filter(Boolean)
  } catch (error) {
    if (error instanceof Error && 'status' in error) return []
    throw error
  }
}

function testsOf(floor: string): string[] {
  return globSync(`${floor}/**/*.test.{ts,tsx}`, { cwd: top }).map((path) => path.split(sep).join('/'))
}

/** The floor of a file: a folder of `src-main`, or the interface. */
function floorOf(path: string): string | undefined {
  return /^(src-main\/[^/]+|src-renderer)\//.exec(path)?.[1]
}
