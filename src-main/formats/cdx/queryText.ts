/** The two spellings of query text in the convention for requests in keys, as in Python's urllib. */

/** Unescapes a form: `+` becomes a blank, and escapes are decoded (invalid UTF-8 then becomes U+FFFD); `%2` is left
 *  unchanged. Returns undefined when the bytes themselves are not UTF-8. */
export function formText(bytes: Uint8Array): string | undefined {
  const text = utf8Text(bytes)
  if (text === undefined) return undefined
  return text.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    return Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8')
  })
}

/** Escapes all bytes except letters, digits and `_.-~`; a blank becomes `+`. */
export function plusEscaped(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : Buffer.from(value)
  return bytes.toString('latin1').replace(/[^\w.~-]/g, (character) => {
    if (character === ' ') return '+'
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  })
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes UTF-8. Returns undefined when it is invalid. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
