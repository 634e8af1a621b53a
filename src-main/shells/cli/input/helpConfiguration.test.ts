import { Argument, Command as Program } from 'commander'
import { expect, test } from 'vitest'
import type { Message, MessageValue } from '../../../contract/words/message.ts'
import { choiceOption } from './choices.ts'
import { helpConfiguration } from './helpConfiguration.ts'

/** Renders the code and the values, in the order of their names. */
function coded({ code, values = {} }: Message): string {
  const plain = (value: MessageValue) => (typeof value === 'object' ? coded(value) : String(value))
  if (code === 'text') return plain(values['text'] ?? '')
  return [
    code,
    ...Object.keys(values)
      .toSorted()
      .map((name) => plain(values[name] ?? '')),
  ].join(' ')
}

function program(): Program {
  const all = new Program('loupe').configureHelp({ ...helpConfiguration(coded), helpWidth: 200 })
  all.description('about').helpOption('--help', 'about help').helpCommand('help [verb]', 'about a verb')
  all.option('--archive <dir>', 'about the archive', 'a folder')
  all
    .command('check')
    .argument('<file>', '')
    .addArgument(new Argument('[other...]', 'about others').choices(['one', 'two']))
    .addOption(choiceOption('--severity <level>', 'about levels', ['note', 'error']).default('note'))
    .option('--all', 'about all', false)
  return all
}

test('every text in the help of a program is a message or part of the program', () => {
  expect(program().helpInformation())
    .toBe(`help.heading.usage loupe [help.placeholder.options] [help.placeholder.command]

about

help.heading.options
  --archive <dir>                                     help.default about the archive "a folder"
  --help                                              about help

help.heading.commands
  check [help.placeholder.options] <file> [other...]
  help [verb]                                         about a verb
`)
})

test('every text in the help of a command is a message or part of the program', () => {
  const [check] = program().commands
  expect(check?.helpInformation()).toBe(`help.heading.usage loupe check [help.placeholder.options] <file> [other...]

help.heading.arguments
  file
  other               help.choices about others "one", "two"

help.heading.options
  --severity <level>  help.choices help.default about levels "note" "note", "error"
  --all               about all
  --help              about help

help.heading.globalOptions
  --archive <dir>     help.default about the archive "a folder"
`)
})
