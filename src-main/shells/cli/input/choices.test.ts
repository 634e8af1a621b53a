import { Command as Program } from 'commander'
import { expect, test } from 'vitest'
import { choiceArgument, choiceOption } from './choices.ts'

function parsed(words: string[]): unknown {
  const program = new Program()
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .addArgument(choiceArgument('[shell]', '', ['bash', 'zsh']))
    .addOption(choiceOption('--format <format>', '', ['warc', 'wacz']).default('warc'))
    .addOption(choiceOption('--activity <kind...>', '', ['fetch', 'process']))
  return program.parse(words, { from: 'user' }).opts()
}

test.each([
  [[], { format: 'warc' }],
  [['zsh', '--format', 'wacz'], { format: 'wacz' }],
  [['--activity', 'process'], { format: 'warc', activity: ['process'] }],
  [
    ['--activity', 'fetch', 'process', '--activity', 'fetch'],
    { format: 'warc', activity: ['fetch', 'process', 'fetch'] },
  ],
])('known words are accepted: %j', (words, options) => expect(parsed(words)).toEqual(options))

test.each([
  [['--format', 'wacs'], /It must be one of warc, wacz: did you mean wacz\?/],
  [['--format', 'parquet-files'], /It must be one of warc, wacz\./],
  [['--activity', 'fetch', 'proces'], /did you mean process\?/],
  [['bsh'], /did you mean bash\?/],
])('other words are refused with the nearest known word: %j', (words, problem) => {
  expect(() => parsed(words)).toThrow(problem)
})
