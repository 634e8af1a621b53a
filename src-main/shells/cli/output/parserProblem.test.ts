import { Argument, Command as Program, CommanderError, Option } from 'commander'
import { expect, test } from 'vitest'
import { message, type Message } from '../../../contract/words/message.ts'
import { parserProblem } from './parserProblem.ts'

/** A program whose parser can report every error. */
function program(): Program {
  const all = new Program('loupe').exitOverride().configureOutput({ outputError: () => undefined })
  all
    .command('jobs')
    .argument('[id]')
    .action(() => undefined)
  all
    .command('check')
    .addArgument(new Argument('<file>').choices(['one', 'two']))
    .addOption(new Option('--severity <level>').choices(['note', 'error']))
    .addOption(new Option('--all').conflicts('severity'))
    .action(() => undefined)
  all
    .command('export')
    .addOption(new Option('--format <format>').makeOptionMandatory())
    .action(() => undefined)
  all.command('import').action(() => undefined)
  return all
}

function errorOf(words: string[]): CommanderError {
  try {
    program().parse(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error
    throw error
  }
  throw new Error('The parser accepted the arguments.')
}

const text = (words: string) => message('text', { text: words })

test.each<[words: string[], problem: Message]>([
  [['jobs', '--xyzzy'], message('cli.usage.unknownOption', { option: '--xyzzy' })],
  [
    ['check', '--severty', 'note', 'one'],
    message('cli.usage.unknownOption.near', { option: '--severty', near: text('--severity') }),
  ],
  [['xyzzy'], message('cli.usage.unknownCommand', { command: 'xyzzy' })],
  [['chek'], message('cli.usage.unknownCommand.near', { command: 'chek', near: text('check') })],
  [
    ['emport'],
    message('cli.usage.unknownCommand.near', {
      command: 'emport',
      near: message('list.or', { first: text('export'), second: text('import') }),
    }),
  ],
  [['check'], message('cli.usage.missingArgument', { argument: 'file' })],
  [['check', 'one', '--severity'], message('cli.usage.missingValue', { option: '--severity <level>' })],
  [['export'], message('cli.usage.missingOption', { option: '--format <format>' })],
  [
    ['check', 'one', '--all', '--severity', 'note'],
    message('cli.usage.conflict', { option: '--all', other: '--severity <level>' }),
  ],
  [['jobs', '1', '2'], message('cli.usage.excessArguments', { command: 'jobs', expected: 1, given: '1, 2' })],
  [
    ['check', 'one', '--severity', "it's is invalid. So"],
    message('cli.usage.invalidValue', {
      name: '--severity <level>',
      value: "it's is invalid. So",
      problem: 'Allowed choices are note, error.',
    }),
  ],
  [
    ['check', 'three'],
    message('cli.usage.invalidValue', {
      name: message('cli.usage.argument', { argument: 'file' }),
      value: 'three',
      problem: 'Allowed choices are one, two.',
    }),
  ],
])('the error for "%s" has a message', (words, problem) => {
  expect(parserProblem(errorOf(words))).toEqual(problem)
})

test('an error in an unknown form is shown unchanged', () => {
  const other = new CommanderError(1, 'commander.other', 'error: the moon is full')
  expect(parserProblem(other)).toEqual(text('the moon is full'))
})
