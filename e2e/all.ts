/** `npm test`: everything that says whether Loupe is whole, in order, cheapest first: types, lint, floors and unit tests, the
 *  build, the specs in a real browser. Goes on after a failure, so that one run shows them all; the last line is the count.
 *  A step without tests of its own counts as one. What failed is named once more at the end, where one who kept only the last
 *  lines finds it. What a test is about is not here. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { build } from '../src-main/shells/launch/build.ts'
import { presentElectron } from '../src-main/shells/launch/electronBinary.ts'
import { execute } from './execute.ts'
import { obtainChromium } from './obtainChromium.ts'

const top = join(import.meta.dirname, '..')
const reports = mkdtempSync(join(tmpdir(), 'loupe-test-'))

interface Counts {
  passed: number
  failed: number
  skipped: number
}

const failures: string[] = []
const saidCharsMax = 1_200
/** A test by where it stands, with what it said, cut short. */
const tellFailure = (name: string, said: string) => void failures.push(`${name}\n${said.slice(0, saidCharsMax)}`)

interface Step {
  name: string
  run(): Promise<Counts>
}

const one = (good: boolean): Counts => ({ passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 })

const command = (name: string, ...words: string[]): Step => ({
  name,
  run: async () => one((await execute(words)) === 0),
})

const steps: Step[] = [
  command('Types: contract', 'tsc', '-p', 'src-main/contract'),
  command('Types: engine and shells', 'tsc', '-p', 'src-main'),
  command('Types: interface', 'tsc', '-p', 'src-renderer'),
  command('Types: tests of the interface', 'tsc', '-p', 'src-renderer/tsconfig.tests.json'),
  command('Types: specs, benches, configuration', 'tsc', '-p', 'e2e'),
  command('Lint: eslint', 'eslint', '.', '--max-warnings', '0'),
  command('Lint: knip (nothing dead)', 'knip'),
  command('Lint: prettier', 'prettier', '--check', '.'),
  { name: 'Floors and unit tests', run: unitTests },
  { name: 'Build', run: buildAll },
  { name: 'Specs in a browser, and in Electron where its binary is', run: specs },
]

interface UnitReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

async function unitTests(): Promise<Counts> {
  const report = join(reports, 'unit.json')
  const code = await execute(['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`])
  return counted(code, report, (read: UnitReport) => {
    for (const { name, status, message, assertionResults } of read.testResults) {
      const failed = assertionResults.filter((test) => test.status === 'failed')
      for (const test of failed) tellFailure(`${name} > ${test.fullName}`, test.failureMessages.join('\n'))
      if (status === 'failed' && failed.length === 0) tellFailure(name, message)
    }
    return {
      passed: read.numPassedTests,
      failed: read.numFailedTests,
      skipped: read.numPendingTests + read.numTodoTests,
    }
  })
}

async function buildAll(): Promise<Counts> {
  const failed = await build(top)
  if (failed !== undefined) console.error(failed)
  return one(failed === undefined)
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
  return counted(code, report, ({ stats, suites }: SpecsReport) => {
    suites.forEach(nameFailures)
    return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }
  })
}

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

function nameFailures({ specs, suites = [] }: SpecSuite): void {
  for (const { file, line, title, ok, tests } of specs) {
    if (ok) continue
    const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
    tellFailure(
      `${file}:${line} > ${title}`,
      errors.map(({ message }) => stripVTControlCharacters(message ?? '')).join('\n'),
    )
  }
  suites.forEach(nameFailures)
}

/** A run that failed without a failed test (a file that does not load, no report at all) is one failure. */
function counted<Report>(code: number, file: string, count: (report: Report) => Counts): Counts {
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  try {
    counts = count(JSON.parse(readFileSync(file, 'utf8')) as Report)
  } catch (error) {
    console.error(`No report of this step: ${String(error)}`)
  }
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

const total: Counts = { passed: 0, failed: 0, skipped: 0 }
const lines: string[] = []
for (const { name, run } of steps) {
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
rmSync(reports, { recursive: true })

if (failures.length > 0) console.log(`\n━━ What failed\n\n${failures.join('\n\n')}`)
console.log(`\n━━ All\n${lines.join('\n')}\n`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 ? 1 : 0
