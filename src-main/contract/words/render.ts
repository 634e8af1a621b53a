/** Rendering of messages. Templates are parsed once each, on first use. */
import { IntlMessageFormat } from 'intl-messageformat'
import { en } from './en.ts'
import { messageIn, type Message, type MessageValue } from './message.ts'

const parsed = new Map<string, IntlMessageFormat>()

/** Renders a message. A code without a template, as from a newer version, is rendered as itself with its values. */
export function textOf(message: Message): string {
  const template = (en as Readonly<Record<string, string>>)[message.code]
  if (template === undefined) return [message.code, ...Object.values(message.values ?? {}).map(plain)].join(' ')
  if (!template.includes('{') && !template.includes("'")) return template
  let format = parsed.get(message.code)
  if (!format)
    parsed.set(message.code, (format = new IntlMessageFormat(template, 'en', undefined, { ignoreTag: true })))
  const values = Object.entries(message.values ?? {}).map(([name, value]) => [name, plain(value)])
  return String(format.format(Object.fromEntries(values) as Record<string, string | number>))
}

function plain(value: MessageValue): string | number {
  return typeof value === 'object' ? textOf(value) : value
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
