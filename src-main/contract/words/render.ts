/** Rendering of messages. Templates are parsed once each, on first use. */
import { IntlMessageFormat } from 'intl-messageformat'
import { en } from './en.ts'
import type { Message, MessageValue } from './message.ts'

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
