/** The words of the argument parser's help as messages: headings, placeholders of the usage line, defaults and allowed values. */
import type { Argument, Command as Program, HelpConfiguration, Option } from 'commander'
import { message, type Message, type MessageCode } from '../../../contract/words/message.ts'

/** Headings of help, by those of the parser. */
const headings = {
  'Usage:': 'help.heading.usage',
  'Arguments:': 'help.heading.arguments',
  'Options:': 'help.heading.options',
  'Global Options:': 'help.heading.globalOptions',
  'Commands:': 'help.heading.commands',
} as const satisfies Record<string, MessageCode>

/** Configures the help of a program and all its verbs. */
export function helpConfiguration(render: (message: Message) => string): HelpConfiguration {
  const options = () => `[${render(message('help.placeholder.options'))}]`
  const command = () => `[${render(message('help.placeholder.command'))}]`
  return {
    showGlobalOptions: true,
    styleTitle: (heading) => (isHeading(heading) ? render(message(headings[heading])) : heading),
    commandUsage: (verb) =>
      [
        ...pathOf(verb),
        options(),
        ...(verb.commands.length > 0 ? [command()] : []),
        ...verb.registeredArguments.map(placeholderOf),
      ].join(' '),
    subcommandTerm: (verb) =>
      [
        verb.name(),
        ...(verb.options.length > 0 ? [options()] : []),
        ...verb.registeredArguments.map(placeholderOf),
      ].join(' '),
    optionDescription: (option) => render(describedOption(option)),
    argumentDescription: (argument) => render(withChoices(argument)),
  }
}

function isHeading(text: string): text is keyof typeof headings {
  return Object.hasOwn(headings, text)
}

/** The names of a verb and of those that it belongs to, the program first. */
function pathOf(verb: Program): string[] {
  return [...(verb.parent ? pathOf(verb.parent) : []), verb.name()]
}

function placeholderOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

/** The default of an option is shown where it takes a value: what a switch does unless it is given, is clear. */
function describedOption(option: Option): Message {
  const { description } = option
  const value: unknown = option.defaultValue
  const hasDefault = value !== undefined && !option.isBoolean()
  return withChoices({
    ...option,
    description: hasDefault ? message('help.default', { description, value: JSON.stringify(value) }) : description,
  })
}

function withChoices({ description, argChoices }: { description: string | Message; argChoices?: string[] }): Message {
  if (argChoices) return message('help.choices', { description, known: argChoices.map(quoted).join(', ') })
  return typeof description === 'string' ? message('text', { text: description }) : description
}

function quoted(word: string): string {
  return JSON.stringify(word)
}
