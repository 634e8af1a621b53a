/** Rendering of messages. Templates are parsed once each, on first use. */
import { FormatError, IntlMessageFormat } from 'intl-messageformat'
import { en } from './en.ts'
import { message, messageIn, type Message, type MessageCode, type MessageValue, type ValuesFor } from './message.ts'

/** Makes the function that renders messages in one language. A code without a template, as from a newer version, is rendered as itself with
 *  its values, as is a message whose values do not fit the template, as in an entry of the audit log that was edited. */
export function rendererOf(locale: string, templates: Readonly<Record<string, string>>): (message: Message) => string {
  const parsed = new Map<string, IntlMessageFormat>()

  function render({ code, values = {} }: Message): string {
    const template = templates[code]
    const codeAndValues = () => [code, ...Object.values(values).map(plain)].join(' ')
    if (template === undefined) return codeAndValues()
    if (!template.includes('{') && !template.includes("'")) return template
    let format = parsed.get(code)
    if (!format) parsed.set(code, (format = new IntlMessageFormat(template, locale, undefined, { ignoreTag: true })))
    const rendered = Object.entries(values).map(([name, value]) => [name, plain(value)])
    try {
      return String(format.format(Object.fromEntries(rendered) as Record<string, string | number>))
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      return codeAndValues()
    }
  }

  /** A message inside a message is rendered first. */
  function plain(value: MessageValue): string | number {
    return typeof value === 'object' ? render(value) : value
  }

  return render
}

/** Renders a message in English. */
export const textOf = rendererOf('en', en)

/** Renders the message with a code in English, for text that is printed at once. */
export function textFor<Code extends MessageCode>(code: Code, ...values: ValuesFor<Code>): string {
  return textOf(message(code, ...values))
}

/** Adds its text to every message in a value, for readers of JSON who have no templates. */
export function withTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withTexts)
  const message = isBare(value) ? messageIn(value) : undefined
  if (message) return { ...message, text: textOf(message) }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withTexts(field)]))
}

/** A fault has a code too, and more than the two fields of a message. */
function isBare(value: object): boolean {
  return Object.keys(value).every((name) => name === 'code' || name === 'values')
}
