/**
 * Scripts that complete the command line of loupe in a shell: verbs, options, and the values of options that have a fixed list. Everything
 * else is completed as a file name. The scripts contain all words, so that no key press starts a process.
 */
import type { Command as Program, Option } from 'commander'
import { textFor } from '../../../contract/words/render.ts'

export const completionShells = ['bash', 'zsh', 'fish'] as const
export type CompletionShell = (typeof completionShells)[number]

export function completionScript(program: Program, shell: CompletionShell): string {
  const places = placesOf(program)
  if (shell === 'bash') return bashScript(places)
  if (shell === 'zsh') return zshScript(places)
  return fishScript(places)
}

/** Words that may follow a verb. `path` is empty for the program itself, otherwise the verb, as in "preserve repair". */
interface Place {
  path: string
  verbs: Described[]
  options: Described[]
  /** Options that take a value; the list is empty where any value is allowed. */
  values: { names: string[]; choices: readonly string[] }[]
  /** Allowed values of the first argument. */
  choices: readonly string[]
}

interface Described {
  word: string
  text: string
}

function placesOf(verb: Program, parents: readonly Program[] = []): Place[] {
  const line = [...parents, verb]
  const options = line.flatMap((each) => each.options).filter(({ hidden }) => !hidden)
  const own: Place = {
    path: line
      .slice(1)
      .map((each) => each.name())
      .join(' '),
    verbs: verb.commands.map((each) => ({ word: each.name(), text: each.description() })),
    options: [
      ...options.flatMap((option) => namesOf(option).map((word) => ({ word, text: option.description }))),
      { word: '--help', text: textFor('help.help') },
    ],
    values: options
      .filter(({ required, optional }) => required || optional)
      .map((option) => ({ names: namesOf(option), choices: option.argChoices ?? [] })),
    choices: verb.registeredArguments[0]?.argChoices ?? [],
  }
  return [own, ...verb.commands.flatMap((each) => placesOf(each, line))]
}

function namesOf({ short, long }: Option): string[] {
  return [short, long].filter((name) => name !== undefined)
}

/**
 * Writes the loop shared by bash and zsh that finds the verb named by the words before the cursor. The value of an option is not a verb.
 */
function verbLoop(places: readonly Place[]): string {
  return `  for ((at = 1; at < here; at++)); do
    word="\${typed[at]}"
    case "$word" in
      ${optionsWithValue(places).join('|')}) at=$((at + 1)); continue ;;
      -*) continue ;;
    esac
    case "\${verb:+$verb }$word" in
      ${verbsOf(places).map(quoted).join('|')}) verb="\${verb:+$verb }$word" ;;
    esac
  done`
}

function optionsWithValue(places: readonly Place[]): string[] {
  return [...new Set(places.flatMap(({ values }) => values.flatMap(({ names }) => names)))]
}

function verbsOf(places: readonly Place[]): string[] {
  return places.map(({ path }) => path).filter(Boolean)
}

/** Writes the arms of a `case` over "VERB:OPTION", for the word after an option that takes a value. */
function valueArms(places: readonly Place[], complete: (choices: readonly string[]) => string): string {
  return places
    .flatMap(({ path, values }) =>
      values.map(
        ({ names, choices }) =>
          `    ${names.map((name) => quoted(`${path}:${name}`)).join('|')}) ${complete(choices)} ;;`,
      ),
    )
    .join('\n')
}

/** Writes the arms of a `case` over the verb. */
function verbArms(places: readonly Place[], complete: (place: Place) => string): string {
  return places.map((place) => `      ${quoted(place.path)}) ${complete(place)} ;;`).join('\n')
}

function wordsOf({ verbs, choices }: Place): Described[] {
  return [...verbs, ...choices.map((word) => ({ word, text: '' }))]
}

function bashScript(places: readonly Place[]): string {
  const list = (words: readonly Described[]) => `words=${quoted(words.map(({ word }) => word).join(' '))}`
  return `# Completion of loupe in bash. Where loupe has no words of its own, file names are completed.
_loupe() {
  local typed=("\${COMP_WORDS[@]}") here=$COMP_CWORD verb='' words='' at word
  local now="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
${verbLoop(places)}
  COMPREPLY=()
  case "$verb:$before" in
${valueArms(places, (choices) => (choices.length === 0 ? 'return' : `words=${quoted(choices.join(' '))}`))}
  esac
  if [[ -z $words && $now == -* ]]; then
    case "$verb" in
${verbArms(places, ({ options }) => list(options))}
    esac
  elif [[ -z $words ]]; then
    case "$verb" in
${verbArms(places, (place) => list(wordsOf(place)))}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$now"))
}
complete -o default -F _loupe loupe
`
}

function zshScript(places: readonly Place[]): string {
  // _describe ends the word at a colon.
  const row = ({ word, text }: Described) => quoted(`${word.replaceAll(':', '\\:')}${text === '' ? '' : `:${text}`}`)
  const list = (words: readonly Described[]) => `found=(${words.map(row).join(' ')})`
  const choicesOf = (choices: readonly string[]) => list(choices.map((word) => ({ word, text: '' })))
  return `#compdef loupe
# Completion of loupe in zsh. Where loupe has no words of its own, file names are completed.
_loupe() {
  local -a typed found
  local here=$((CURRENT - 1)) verb='' at word
  # Without the name of the program: zsh counts from 1.
  typed=("\${words[@]:1}")
  local now="\${words[CURRENT]}" before="\${words[CURRENT-1]}"
${verbLoop(places)}
  case "$verb:$before" in
${valueArms(places, (choices) => (choices.length === 0 ? '_files; return' : choicesOf(choices)))}
  esac
  if (( ! \${#found} )) && [[ $now == -* ]]; then
    case "$verb" in
${verbArms(places, ({ options }) => list(options))}
    esac
  elif (( ! \${#found} )); then
    case "$verb" in
${verbArms(places, (place) => list(wordsOf(place)))}
    esac
  fi
  if (( \${#found} )); then _describe loupe found; else _files; fi
}
if [ "$funcstack[1]" = _loupe ]; then _loupe; else compdef _loupe loupe; fi
`
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap((place) => {
    const at = `complete -c loupe -n ${fishQuoted(`__loupe_at ${fishQuoted(place.path)}`)}`
    const described = (text: string) => (text === '' ? '' : ` -d ${fishQuoted(text)}`)
    const options = place.options.map(({ word, text }) => {
      const value = place.values.find(({ names }) => names.includes(word))
      const taken = !value ? '' : value.choices.length === 0 ? ' -r' : ` -x -a ${fishQuoted(value.choices.join(' '))}`
      return `${at} -l ${word.replace(/^--/, '')}${taken}${described(text)}`
    })
    return [...wordsOf(place).map(({ word, text }) => `${at} -f -a ${word}${described(text)}`), ...options]
  })
  return `# Completion of loupe in fish. Where loupe has no words of its own, file names are completed.
function __loupe_at
  set -l verb ''
  set -l is_value 0
  for word in (commandline -opc)[2..-1]
    if test $is_value = 1
      set is_value 0
      continue
    end
    switch $word
      case ${optionsWithValue(places).join(' ')}
        set is_value 1
        continue
      case '-*'
        continue
    end
    set -l longer (string trim -- "$verb $word")
    contains -- "$longer" ${verbsOf(places).map(fishQuoted).join(' ')}; and set verb $longer
  end
  test "$verb" = "$argv[1]"
end
${lines.join('\n')}
`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Quotes a text for fish, where a backslash escapes within single quotes too. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
