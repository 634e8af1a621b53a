/**
 * Text for users as a code and its values: the engine chooses the code, `words/` has the text of each language. A message can be stored,
 * sent to the interface and rendered again later. Templates are ICU messages, as in the interface
 * (https://unicode-org.github.io/icu/userguide/format_parse/messages/).
 */
import type { en } from './en.ts'

/** Template of each message, in English. Other languages have the same codes. */
type Templates = typeof en
export type MessageCode = keyof Templates

/** A value of a message. A message inside a message is rendered first. */
export type MessageValue = string | number | Message
/** A message: its code and its values. */
export interface Message<Code extends string = string> {
  code: Code
  /** Absent where the template takes none. */
  values?: Readonly<Record<string, MessageValue>>
}

/**
 * Names of the values that a template takes, with their types: a number where it is counted or formatted as one, otherwise any. The
 * branches of a plural are distinguished from values by the space or `#` in them.
 */
type ValuesOf<Template extends string> = Template extends `${string}{${infer Rest}`
  ? ValueAt<Rest> & ValuesOf<Rest>
  : unknown
type ValueAt<Rest extends string> = Rest extends `${infer Whole}}${string}`
  ? Whole extends `${infer Name},${infer Format}`
    ? IsName<Name> extends true
      ? Record<Name, Format extends ` ${'plural' | 'number' | 'selectordinal'}${string}` ? number : MessageValue>
      : unknown
    : IsName<Whole> extends true
      ? Record<Whole, MessageValue>
      : unknown
  : unknown
type IsName<Text extends string> = Text extends '' | `${string}${' ' | '#' | '{'}${string}` ? false : true

/** Arguments of `message` after the code: none, or the values that the template takes. */
export type ValuesFor<Code extends MessageCode> =
  unknown extends ValuesOf<Templates[Code]>
    ? []
    : [values: { [Name in keyof ValuesOf<Templates[Code]>]: ValuesOf<Templates[Code]>[Name] }]

/** Makes a message. The compiler checks the code and the values that its template takes. */
export function message<Code extends MessageCode>(code: Code, ...[values]: ValuesFor<Code>): Message<Code> {
  return values === undefined ? { code } : { code, values: values as Record<string, MessageValue> }
}

/** Reads a message that was stored or sent. Undefined where it is none. Its code may be unknown here, if another version wrote it. */
export function messageIn(value: unknown): Message | undefined {
  if (typeof value !== 'object' || value === null || !('code' in value) || typeof value.code !== 'string')
    return undefined
  const values = 'values' in value ? value.values : undefined
  if (values === undefined) return { code: value.code }
  if (typeof values !== 'object' || values === null || !Object.values(values).every(isValue)) return undefined
  return { code: value.code, values: values as Record<string, MessageValue> }
}

function isValue(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || messageIn(value) !== undefined
}

/** Writes a message as the text of a database column. */
export function storedMessage(message: Message): string {
  return JSON.stringify(message)
}

/** Reads a message from a database column; null for an empty column. A text that is no message, as a sentence of an earlier version, is
 *  its own text. */
export function messageFrom(stored: string): Message
export function messageFrom(stored: string | null): Message | null
export function messageFrom(stored: string | null): Message | null {
  return stored === null ? null : (messageIn(parsedJson(stored)) ?? message('text', { text: stored }))
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
