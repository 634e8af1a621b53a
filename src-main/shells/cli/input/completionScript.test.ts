import { spawnSync } from 'node:child_process'
import { Argument, Command, Option } from 'commander'
import { describe, expect, test } from 'vitest'
import { completionScript } from './completionScript.ts'

const program = new Command('loupe').option('--archive <dir>', "the archive's folder").option('--json', 'print JSON')
program.command('preserve').description('look after copies').command('repair').option('--replica <r>', 'only there')
program.command('export').addOption(new Option('--format <format>', 'what to write').choices(['warc', 'wacz', 'csv']))
program.command('completion').addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh']))
program.command('import').description('take files in')

const rows: [typed: string[], words: string[]][] = [
  [['pre'], ['preserve']],
  [['i'], ['import']],
  [['preserve', ''], ['repair']],
  [['preserve', 'repair', '--r'], ['--replica']],
  [['preserve', 'repair', '--js'], ['--json']],
  [['--archive', 'preserve', 'ex'], ['export']],
  [
    ['export', '--format', 'w'],
    ['warc', 'wacz'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh'],
  ],
  // File names, which bash itself completes.
  [['import', 'x'], []],
  [['--archive', 'pre'], []],
]

const hasBash = spawnSync('bash', ['-c', 'true']).status === 0
describe.skipIf(!hasBash)('bash', () => {
  test.each(rows)('%j', (typed, words) => {
    const asked = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _loupe; printf '%s\\n' "\${COMPREPLY[@]}"`
    const script = `${completionScript(program, 'bash')}\n${asked}`
    const { stdout, stderr, status } = spawnSync('bash', ['-c', script, 'bash', 'loupe', ...typed], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').filter(Boolean)).toEqual(words)
  })
})

const hasZsh = spawnSync('zsh', ['-c', 'true']).status === 0
describe.skipIf(!hasZsh)('zsh', () => {
  test.each(rows)('%j', (typed, words) => {
    const inPlace = `compdef() { :; }; _files() { :; }; _describe() { print -rl -- "\${(@)found%%:*}"; }`
    const asked = `words=("$@"); CURRENT=$#; _loupe`
    const script = `${inPlace}\n${completionScript(program, 'zsh')}\n${asked}`
    const { stdout, stderr, status } = spawnSync('zsh', ['-f', '-c', script, 'zsh', 'loupe', ...typed], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    // zsh itself filters the matches.
    const begun = stdout.split('\n').filter((word) => word !== '' && word.startsWith(typed.at(-1) ?? ''))
    expect(begun).toEqual(words)
  })
})

const hasFish = spawnSync('fish', ['-c', 'true']).status === 0
describe.skipIf(!hasFish)('fish', () => {
  test.each(rows.filter(([, words]) => words.length > 0))('%j', (typed, words) => {
    const asked = `complete -C ${JSON.stringify(['loupe', ...typed].join(' '))}`
    const { stdout } = spawnSync('fish', ['--no-config', '-c', `${completionScript(program, 'fish')}\n${asked}`], {
      encoding: 'utf8',
    })
    const found = stdout.split('\n').filter(Boolean).map((line) => line.split('\t')[0]) // prettier-ignore
    expect(found.toSorted()).toEqual(words.toSorted())
  })
})

test('every verb and option is in every script, with correct quoting', () => {
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const script = completionScript(program, shell)
    for (const word of ['preserve', 'repair', 'import', 'archive', 'replica', 'wacz']) expect(script).toContain(word)
  }
  expect(completionScript(program, 'zsh')).toContain(`the archive'\\''s folder`)
  expect(completionScript(program, 'fish')).toContain(`the archive\\'s folder`)
})
