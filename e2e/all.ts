/** Runs every check of Loupe (`npm test`): first lint, types and format, two at a time; then, one after the other, the build, the
 *  floors and unit tests, and the specs in a real browser. Tests that start the command line run what was built, which starts in half the
 *  time. Continues after a failure, so that one run reports all of them; the last
 *  line gives the totals. A step without tests counts as one test. The failures are listed again at the end, so that
 *  they are in the last lines of a log. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { build } from '../src-main/shells/launch/build.ts'
import { presentElectron } from '../src-main/shells/launch/electronBinary.ts'
import { execute } from './execute.ts'
import { obtainChromium } from './obtainChromium.ts'
import { typeChecks } from './typeChecks.ts'

const top = join(import.meta.dirname, '..')
const reports = mkdtempSync(join(tmpdir(), 'loupe-test-'))

/** Numbers of tests by result. */
interface Counts {
  passed: number
  failed: number
  skipped: number
}

const failures: string[] = []
const messageCharactersMax = 1_200
/** Records a failed test: its file and name, and its message, cut to `messageCharactersMax` characters. */
const addFailure = (name: string, text: string) => void failures.push(`${name}\n${text.slice(0, messageCharactersMax)}`)

/** A part of the run with its own results. */
interface Step {
  name: string
  run(): Promise<Counts>
}

const one = (good: boolean): Counts => ({ passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 })

const command = (name: string, ...words: string[]): Step => ({
  name,
  run: async () => one((await execute(words)) === 0),
})

/** Checks that each keep one core busy, the longest first. */
const checks: Step[] = [
  command('Lint: oxlint', 'oxlint'),
  ...typeChecks.map(({ name, words }) => command(name, ...words)),
  command('Lint: knip (nothing dead)', 'knip'),
  command('Format: oxfmt', 'oxfmt', '--check'),
]

/** Steps that each use all cores of the machine. */
const steps: Step[] = [
  { name: 'Build', run: buildAll },
  { name: 'Floors and unit tests', run: unitTests },
  { name: 'Specs in a browser, and in Electron where its binary is', run: specs },
]

/** The JSON report of vitest, as far as it is used. */
interface UnitReport {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/** The results of one file. */
interface TestFile {
  passed: number
  skipped: number
  failed: { name: string; text: string }[]
}

async function unitTests(): Promise<Counts> {
  const { code, files } = await unitRun('unit.json', [])
  const wrong = [...files].filter(([, { failed }]) => failed.length > 0)
  const alone = await failedAlone(wrong.map(([name]) => name))
  for (const { name, text } of wrong.flatMap(([, { failed }]) => failed))
    addFailure(name, alone === undefined || alone.has(name) ? text : `(By itself it passed.) ${text}`)
  const all = [...files.values()]
  const sum = (of: (file: TestFile) => number) => all.reduce((total, file) => total + of(file), 0)
  return orOneFailure(code, {
    passed: sum((file) => file.passed),
    failed: sum((file) => file.failed.length),
    skipped: sum((file) => file.skipped),
  })
}

/** Runs the files of failed tests again, by themselves, and returns the names of the tests that fail again. A test that passes then
 *  was disturbed by the tests running next to it, or fails at random; it still counts as failed. Returns undefined when no file or
 *  more than `filesRunAgainMax` files failed. */
async function failedAlone(names: readonly string[]): Promise<Set<string> | undefined> {
  if (names.length === 0 || names.length > filesRunAgainMax) return undefined
  console.log(`\n━━ Once more, by themselves: ${names.join(', ')}`)
  const { files } = await unitRun('again.json', names)
  return new Set([...files.values()].flatMap(({ failed }) => failed.map(({ name }) => name)))
}

const filesRunAgainMax = 3

/** Runs vitest over the chosen files (all when none is given) and returns its exit code and the results by file. A file whose process
 *  crashed has failed, even when all of its reported tests passed. */
async function unitRun(
  name: string,
  chosen: readonly string[],
): Promise<{ code: number; files: Map<string, TestFile> }> {
  const report = join(reports, name)
  const json = ['--reporter=json', `--outputFile.json=${report}`]
  const code = await execute(['vitest', 'run', '--reporter=default', ...json, ...chosen])
  const { testResults } = read<UnitReport>(report) ?? { testResults: [] }
  return { code, files: new Map(testResults.map((file) => [file.name, testFileOf(file)])) }
}

function testFileOf({ name: file, status, message, assertionResults }: UnitReport['testResults'][number]): TestFile {
  const having = (wanted: RegExp) => assertionResults.filter((test) => wanted.test(test.status))
  const failed = having(/^failed$/).map(({ fullName, failureMessages }) => ({
    name: `${file} > ${fullName}`,
    text: failureMessages.join('\n'),
  }))
  if (status === 'failed' && failed.length === 0)
    failed.push({ name: file, text: message || 'Its process ended early.' })
  return { passed: having(/^passed$/).length, skipped: having(/^(skipped|todo)$/).length, failed }
}

async function buildAll(): Promise<Counts> {
  const failed = await build(top)
  if (failed !== undefined) console.error(failed)
  return one(failed === undefined && (await execute(['node', 'src-main/shells/launch/bundle/bundle.ts'])) === 0)
}

async function specs(): Promise<Counts> {
  const chromium = await obtainChromium(console.log)
  if (chromium.path === undefined) {
    console.error(`${chromium.why} To have one: ${chromium.command}`)
    return one(false)
  }
  const electron = presentElectron()
  console.log(
    `The browser is ${chromium.path}. ${electron.path === undefined ? `Skipped in Electron: ${electron.why}.` : `Electron is ${electron.path}.`}`,
  )
  const report = join(reports, 'specs.json')
  const code = await execute(['playwright', 'test', '-c', 'e2e/playwright.config.ts'], {
    LOUPE_CHROMIUM: chromium.path,
    LOUPE_E2E_REPORT: report,
  })
  const { stats, suites } = read<SpecsReport>(report) ?? { stats: noSpecs, suites: [] }
  suites.forEach(nameFailures)
  const { expected, unexpected, flaky, skipped } = stats
  return orOneFailure(code, { passed: expected, failed: unexpected + flaky, skipped })
}

const noSpecs = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }

/** The JSON report of Playwright, as far as it is used. Suites are nested. */
interface SpecsReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: SpecSuite[]
}

interface SpecSuite {
  specs: {
    file: string
    line: number
    title: string
    ok: boolean
    tests: { results: { errors: { message?: string }[] }[] }[]
  }[]
  suites?: SpecSuite[]
}

/** Records the failed specs of a suite. */
function nameFailures({ specs, suites = [] }: SpecSuite): void {
  for (const { file, line, title, ok, tests } of specs) {
    if (ok) continue
    const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
    addFailure(
      `${file}:${line} > ${title}`,
      errors.map(({ message }) => stripVTControlCharacters(message ?? '')).join('\n'),
    )
  }
  suites.forEach(nameFailures)
}

/** Reads a report; undefined when the program did not write one. */
function read<Report>(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch (error) {
    console.error(`No report of this step: ${String(error)}`)
    return undefined
  }
}

/** Counts a run that failed without a failed test (an error outside of all tests, or no report) as one failure. */
function orOneFailure(code: number, counts: Counts): Counts {
  if (code === 0 || counts.failed > 0) return counts
  addFailure('Outside of all tests', 'The run failed without a failed test; its output above has the reason.')
  return { ...counts, failed: 1 }
}

/** Takes steps from `waiting` until none is left; several calls share the same list. */
async function inTurn(waiting: Step[]): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) await take(step)
}

/** Runs a step, and prints and adds its results. */
async function take({ name, run }: Step): Promise<void> {
  console.log(`\n━━ ${name}`)
  const began = performance.now()
  const counts = await run()
  for (const kind of ['passed', 'failed', 'skipped'] as const) total[kind] += counts[kind]
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  lines.push(
    `${counts.failed > 0 ? '✗' : '✓'} ${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped (${seconds} s)`,
  )
  console.log(lines.at(-1))
}

const total: Counts = { passed: 0, failed: 0, skipped: 0 }
const lines: string[] = []
const waiting = [...checks]
await Promise.all([inTurn(waiting), inTurn(waiting)])
await inTurn(steps)
rmSync(reports, { recursive: true })

if (failures.length > 0) console.log(`\n━━ What failed\n\n${failures.join('\n\n')}`)
console.log(`\n━━ All\n${lines.join('\n')}\n`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 ? 1 : 0
