/**
 * Errors of the argument parser as messages. Commander gives a code and an English sentence; the names in the sentence are the values of
 * the message.
 */
import type { CommanderError } from 'commander'
import { alternatives } from '../../../contract/words/joined.ts'
import { message, type Message } from '../../../contract/words/message.ts'

/** Returns the message for an error of the parser. A sentence in another form than those below is shown as it is. */
export function parserProblem({ code, message: text }: Pick<CommanderError, 'code' | 'message'>): Message {
  for (const [name, sentence, describe] of problems) {
    const match = name === code ? sentence.exec(text) : null
    if (match) return describe(match.slice(1))
  }
  return message('text', { text: text.replace(/^error: /, '') })
}

type Parts = readonly (string | undefined)[]

/** The codes of the parser, each with the form of its sentence and the message that its parts make. */
const problems: readonly [code: string, sentence: RegExp, describe: (parts: Parts) => Message][] = [
  [
    'commander.unknownOption',
    /^error: unknown option '(.*)'(?:\n\(Did you mean (?:one of )?(.*)\?\))?$/s,
    ([option = '', near]) =>
      near === undefined
        ? message('cli.usage.unknownOption', { option })
        : message('cli.usage.unknownOption.near', { option, near: choicesOf(near) }),
  ],
  [
    'commander.unknownCommand',
    /^error: unknown command '(.*)'(?:\n\(Did you mean (?:one of )?(.*)\?\))?$/s,
    ([command = '', near]) =>
      near === undefined
        ? message('cli.usage.unknownCommand', { command })
        : message('cli.usage.unknownCommand.near', { command, near: choicesOf(near) }),
  ],
  [
    'commander.missingArgument',
    /^error: missing required argument '(.*)'$/,
    ([argument = '']) => message('cli.usage.missingArgument', { argument }),
  ],
  [
    'commander.optionMissingArgument',
    /^error: option '(.*)' argument missing$/,
    ([option = '']) => message('cli.usage.missingValue', { option }),
  ],
  [
    'commander.missingMandatoryOptionValue',
    /^error: required option '(.*)' not specified$/,
    ([option = '']) => message('cli.usage.missingOption', { option }),
  ],
  [
    'commander.conflictingOption',
    /^error: option '(.*)' cannot be used with option '(.*)'$/,
    ([option = '', other = '']) => message('cli.usage.conflict', { option, other }),
  ],
  [
    'commander.excessArguments',
    /^error: too many arguments for '(.*?)'\. Expected (\d+) arguments? but got \d+: (.*)\.$/s,
    ([command = '', expected, given = '']) =>
      message('cli.usage.excessArguments', { command, expected: Number(expected), given }),
  ],
  [
    'commander.invalidArgument',
    /^error: option '(.*?)' argument '(.*)' is invalid\. (.*)$/s,
    ([option = '', value = '', problem = '']) => message('cli.usage.invalidValue', { name: option, value, problem }),
  ],
  [
    'commander.invalidArgument',
    /^error: command-argument value '(.*)' is invalid for argument '(.*?)'\. (.*)$/s,
    ([value = '', argument = '', problem = '']) =>
      message('cli.usage.invalidValue', { name: message('cli.usage.argument', { argument }), value, problem }),
  ],
]

/** Lists the words that the parser suggests, which are separated by commas. */
function choicesOf(near: string): Message {
  return alternatives(near.split(', ').map((text) => message('text', { text })))
}
