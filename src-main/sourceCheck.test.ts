import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'
import { sourceProblems } from './sourceCheck.ts'

const top = join(import.meta.dirname, '..')

test('no product file breaks the rules', () => {
  const paths = globSync('src-{main,renderer}/**/*.{ts,tsx}', { cwd: top }).map((path) => path.split(sep).join('/'))
  expect(paths).toContain('src-main/sourceCheck.ts')
  const problems = paths.sort().flatMap((path) => sourceProblems(path, readFileSync(join(top, path), 'utf8')))
  expect(problems).toEqual([])
})

const typed = /^\S+:1 makes a RegExp of a value/
const subtracted = /^\S+:1 subtracts times of the wall clock/

test.each<[what: string, path: string, text: string, expected: RegExp[]]>([
  ['a typed pattern', 'src-main/crawl/a.ts', 'new RegExp(typed)', [typed]],
  ['a typed pattern without new', 'src-main/crawl/a.ts', 'RegExp(rule.pattern, "u")', [typed]],
  [
    'a typed pattern in the interface',
    'src-renderer/screens/A.tsx',
    'const A = () => <p>{RegExp(typed).source}</p>',
    [typed],
  ],
  ['a typed pattern inside a function', 'src-main/shells/a.ts', 'const f = () => [new RegExp(a())]', [typed]],
  ['a written pattern', 'src-main/crawl/a.ts', 'new RegExp("a|b", "g")', []],
  ['a template', 'src-main/crawl/a.ts', 'new RegExp(`^${schemes}:`)', []],
  ['a typed pattern in a test', 'src-main/crawl/a.test.ts', 'new RegExp(typed)', []],
  ['a pattern of the simulation', 'src-main/simulation/a.ts', 'new RegExp(typed)', []],
  ['a pattern of a spec', 'e2e/a.ts', 'new RegExp(typed)', []],
  ['a time less another', 'src-main/crawl/a.ts', 'const ms = clock.now() - began', [subtracted]],
  ['another less a time', 'src-main/crawl/a.ts', 'const ms = ends - world.clock.now()', [subtracted]],
  ['a time taken from a sum', 'src-main/archive/a.ts', 'left -= clock.now()', [subtracted]],
  ['a sum', 'src-main/crawl/a.ts', 'const due = clock.now() + delayMs', []],
  ['a measured duration', 'src-main/crawl/a.ts', 'const ms = clock.elapsed() - began', []],
  ['a comparison', 'src-main/crawl/a.ts', 'if (clock.now() > due) throw 1', []],
  ['a time less another in world', 'src-main/world/a.ts', 'const ms = clock.now() - began', []],
  ['a time less another in a shell', 'src-main/shells/a.ts', 'const ms = clock.now() - began', []],
])('%s', (_, path, text, expected) => {
  const found = sourceProblems(path, text)
  expect(found).toHaveLength(expected.length)
  expected.forEach((pattern, index) => {
    expect(found[index]).toMatch(pattern)
  })
})

test('says the line', () => {
  expect(sourceProblems('src-main/crawl/a.ts', '\n\nnew RegExp(typed)')).toEqual([
    expect.stringMatching(/^src-main\/crawl\/a\.ts:3 /),
  ])
})
