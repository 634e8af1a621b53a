/** Options and arguments that take a word of a fixed list. Help and completion list the words. */
import { Argument, InvalidArgumentError, Option } from 'commander'
import { nearest } from '../../../contract/text/nearest.ts'
import { textFor } from '../../../contract/words/render.ts'

/** Makes an option. A variadic one takes several of the words. */
export function choiceOption(flags: string, description: string, known: readonly string[]): Option {
  const option = new Option(flags, description).choices(known)
  return option.variadic
    ? option.argParser<string[] | undefined>((word, before = []) => [...before, oneOf(known, word)])
    : option.argParser<string>((word) => oneOf(known, word))
}

export function choiceArgument(name: string, description: string, known: readonly string[]): Argument {
  return new Argument(name, description).choices(known).argParser<string>((word) => oneOf(known, word))
}

/** Returns the word. Throws an error for the parser, with the nearest known word or all of them. */
function oneOf(known: readonly string[], word: string): string {
  if (known.includes(word)) return word
  const near = nearest(word, known)
  throw new InvalidArgumentError(
    near === undefined
      ? textFor('cli.word.choice', { known: known.join(', ') })
      : textFor('cli.word.choice.near', { known: known.join(', '), near }),
  )
}
