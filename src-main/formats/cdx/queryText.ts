/** The two spellings of query text that the convention of requests in keys has, as Python's urllib has them. */

/** A form, unescaped: `+` is a blank, escapes are undone (what is then no UTF-8 becomes U+FFFD), `%2` stays. Undefined
 *  when the bytes themselves are no UTF-8. */
export function formText(bytes: Uint8Array): string | undefined {
  const text = utf8Text(bytes)
  if (text === undefined) return undefined
  return text.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    return Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8')
  })
}

/** Percent and plus escapes of all but letters, digits and `_.-~`. */
export function plusEscaped(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : Buffer.from(value)
  return bytes.toString('latin1').replace(/[^\w.~-]/g, (character) => {
    if (character === ' ') return '+'
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  })
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
