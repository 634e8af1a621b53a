/** The command lines of the programs that Loupe starts must contain no secrets, since other accounts of the machine can read them. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { announcedEngine } from '../../src-main/shells/places/engineFile.ts'
import { openLoupe, type OpenedLoupe } from './openedLoupe.ts'

test.skip(process.platform !== 'linux', 'reads the process table of Linux')

let loupe: OpenedLoupe
test.beforeAll(async () => {
  loupe = await openLoupe('command-line')
})
test.afterAll(() => loupe.close())

test('no process of the window, or of a program that it starts, has the session token in its arguments', async () => {
  const { token } = (await announcedEngine(loupe.archive)) ?? {}
  expect(token).toMatch(/^[\w-]{43}$/)
  const commands = descendants(process.pid).map(({ words }) => words)
  // The browser and its renderers are among the programs, which proves that their command lines were read.
  const window = commands.find((words) => words.includes('loupe-window-') && words.includes('--app='))
  expect(window).toBeDefined()
  expect(commands.some((words) => words.includes('--type=renderer'))).toBe(true)
  expect(commands.filter((words) => words.includes(token!))).toEqual([])
  expect(commands.filter((words) => /token=|open=/.test(words))).toEqual([])
  const opening = fileURLToPath(/--app=(file:[^\0]+)/.exec(window!)?.[1] ?? '')
  expect(statSync(opening).mode & 0o777).toBe(0o600)
  expect(readFileSync(opening, 'utf8')).toContain(token!)
})

test('the window has the token all the same, also after a reload', async () => {
  const { page } = loupe
  const heading = page.getByRole('link', { name: 'Jobs', exact: true })
  await expect(heading).toBeVisible()
  expect(page.url()).not.toMatch(/token|open=/)
  await page.reload()
  await expect(heading).toBeVisible()
  // The history must not lead back to the file.
  expect(await page.evaluate(() => history.length)).toBe(1)
  loupe.expectNoBugs()
})

interface RunningProgram {
  pid: number
  words: string
}

/** All programs that this process started, directly or indirectly. */
function descendants(of: number): RunningProgram[] {
  const found: (RunningProgram & { parent: number })[] = []
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const [stat, words] = [contentOf(`/proc/${name}/stat`), contentOf(`/proc/${name}/cmdline`)]
    // The program's name is in parentheses and may contain any character.
    const parent = /^\d+ \(.*\) \S (\d+) /s.exec(stat)?.[1]
    if (parent !== undefined) found.push({ pid: Number(name), parent: Number(parent), words })
  }
  const below = (pid: number): RunningProgram[] =>
    found.filter(({ parent }) => parent === pid).flatMap((each) => [each, ...below(each.pid)])
  return below(of)
}

/** The content of a file; empty when the process has ended in the meantime. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return ''
    throw error
  }
}
