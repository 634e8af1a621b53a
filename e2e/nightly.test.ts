/** The choice of steps of `npm run nightly`. The steps themselves take hours and are not run here, except that each names files that
 *  exist. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { chosenSteps, nightlySteps } from './nightlySteps.ts'

const steps = nightlySteps({})
const keys = [
  'units',
  'tables',
  'cuts',
  'pages',
  'fuzz',
  'scenarios',
  'definitions',
  'kills',
  'deliveryKills',
  'auditKills',
]

describe('the arguments select the steps', () => {
  const rows: [words: string[], run: string[]][] = [
    [[], keys],
    [['scenarios'], ['scenarios']],
    [
      ['kills', 'scenarios'],
      ['scenarios', 'kills'],
    ],
    [['fuzz', 'fuzz'], ['fuzz']],
  ]
  test.each(rows)('%j', (words, run) => {
    const choice = chosenSteps(words, steps)
    expect('run' in choice && choice.run.map(({ key }) => key)).toEqual(run)
  })
})

test.each([['--help'], ['-h'], ['scenarios', '--help']])('%j lists every step and runs none', (...words) => {
  const choice = chosenSteps(words, steps)
  for (const { key, title } of steps) {
    const line = new RegExp(`^  ${key} +${title}$`, 'mu')
    expect(choice).toHaveProperty('help', expect.stringMatching(line))
  }
})

test.each([['unit'], ['scenarios', 'unit'], ['--scenarios'], ['']])('%j is refused', (...words) => {
  const wrong = words.at(-1) ?? ''
  expect(chosenSteps(words, steps)).toEqual({
    refusal: expect.stringContaining(`There is no step "${wrong}".`) as string,
  })
})

test('an unknown step ends the program with code 2 before anything runs', async () => {
  const ended = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'nightly.ts'), 'kills', 'unit'])
  await expect(ended).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('"unit"') as string,
  })
})

test('the numbers of runs come from the environment', () => {
  const words = (key: string) => nightlySteps({ LOUPE_FUZZ_RUNS: '7' }).find((step) => step.key === key)?.words
  expect(words('fuzz')).toEqual(['node', '--expose-gc', 'bench/fuzz/fuzz.ts', '--runs', '7'])
  const [tables] = nightlySteps({ LOUPE_PROPERTY_RUNS: '9' }).filter(({ key }) => key === 'tables')
  expect(tables?.environment).toEqual({ LOUPE_PROPERTY_RUNS: '9' })
})

test('every file that a step names exists', () => {
  const named = steps.flatMap(({ words }) => words.filter((word) => word.includes('/')))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((path) => !existsSync(join(import.meta.dirname, '..', path)))).toEqual([])
})
