/** Converts a JSON body to a query: each scalar becomes `name=value` with the name of the nearest enclosing object
 *  member; repeated names get the suffix `.2_`, `.3_`. Values are spelled as Python prints them (`True`, `None`,
 *  `2.0`), because the keys of pywb are. The text is parsed here because JSON.parse loses how a number was written,
 *  and the order of members whose names are numbers.
 *
 *     {"a": [1, {"b": true}], "c": {"a": 2.0}}   →   a=1&b=True&a.2_=2.0 */
import { jsonOf } from '../bytes/json.ts'
import { plusEscaped, utf8Text } from './queryText.ts'

/** Maximum nesting. Deeper JSON is rejected, as in Python. */
const depthMax = 900

/** Converts a body. Returns undefined when it is neither one JSON value nor one JSON value on each line. */
export function jsonQuery(body: Uint8Array): string | undefined {
  const text = utf8Text(body)
  if (text === undefined) return undefined
  const leaves = new Leaves()
  const whole = parsed(text)
  if (whole) leaves.add(whole.value, '')
  else {
    if (!text.includes('\n')) return undefined
    for (const line of text.split('\n')) {
      const read = parsed(line)
      if (!read) return undefined
      leaves.add(read.value, '')
    }
  }
  return leaves.query()
}

/** A parsed value; scalars are their Python spelling. A Map keeps the order of members, and the last of equal names
 *  at the place of the first. */
type Value = string | Value[] | Map<string, Value>

/** The scalars of a value, in order, by names that are made unique. */
class Leaves {
  #values = new Map<string, string>()
  #repeats = new Map<string, number>()

  add(value: Value, name: string): void {
    if (value instanceof Map) for (const [inner, member] of value) this.add(member, inner)
    else if (Array.isArray(value)) for (const item of value) this.add(item, name)
    else if (name !== '') this.#values.set(this.#freeName(name), value)
  }

  query(): string {
    return Array.from(this.#values, ([name, value]) => `${plusEscaped(name)}=${plusEscaped(value)}`).join('&')
  }

  #freeName(name: string): string {
    if (!this.#values.has(name)) return name
    const count = (this.#repeats.get(name) ?? 1) + 1
    this.#repeats.set(name, count)
    return `${name}.${count}_`
  }
}

function parsed(text: string): { value: Value } | undefined {
  const reader = new JsonReader(text)
  try {
    return { value: reader.whole() }
  } catch (error) {
    if (error instanceof NoJson) return undefined
    throw error
  }
}

/** The text is not JSON as Python reads it. */
class NoJson extends Error {}

/** White space of JSON (RFC 8259, 2). */
const blanks = /[ \t\r\n]*/y
const numberLiteral = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
/** NaN and Infinity are not JSON, but Python accepts them. */
const wordLiteral = /true|false|null|NaN|-?Infinity/y
const words: Record<string, string> = {
  true: 'True',
  false: 'False',
  null: 'None',
  NaN: 'nan',
  Infinity: 'inf',
  '-Infinity': '-inf',
}

/** A parser of RFC 8259 by recursive descent, with the deviations of Python's `json`. */
class JsonReader {
  #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): Value {
    const value = this.#value(0)
    this.#match(blanks)
    if (this.#at < this.#text.length) throw new NoJson()
    return value
  }

  #value(depth: number): Value {
    if (depth > depthMax) throw new NoJson()
    this.#match(blanks)
    const next = this.#text[this.#at]
    if (next === '{') return this.#members(depth)
    if (next === '[') return this.#items(depth)
    if (next === '"') return this.#string()
    const word = this.#match(wordLiteral)
    if (word) return words[word[0]] ?? ''
    const number = this.#match(numberLiteral)
    if (!number) throw new NoJson()
    const [spelled, fraction, exponent] = number
    if (fraction !== undefined || exponent !== undefined) return pythonFloat(Number(spelled))
    return spelled === '-0' ? '0' : spelled
  }

  #members(depth: number): Map<string, Value> {
    const members = new Map<string, Value>()
    this.#at++
    if (this.#take('}')) return members
    do {
      this.#match(blanks)
      const name = this.#string()
      if (!this.#take(':')) throw new NoJson()
      members.set(name, this.#value(depth + 1))
    } while (this.#take(','))
    if (!this.#take('}')) throw new NoJson()
    return members
  }

  #items(depth: number): Value[] {
    const items: Value[] = []
    this.#at++
    if (this.#take(']')) return items
    do items.push(this.#value(depth + 1))
    while (this.#take(','))
    if (!this.#take(']')) throw new NoJson()
    return items
  }

  #string(): string {
    if (this.#text[this.#at] !== '"') throw new NoJson()
    const end = this.#closingQuote(this.#at + 1)
    const text = textOf(this.#text.slice(this.#at, end + 1))
    this.#at = end + 1
    // Python cannot encode a lone surrogate as UTF-8, and rejects the body.
    if (text === undefined || !text.isWellFormed()) throw new NoJson()
    return text
  }

  /** Returns the index of the quote that ends a string. Escapes are decoded by JSON.parse. */
  #closingQuote(from: number): number {
    for (let at = from; at < this.#text.length; at++) {
      if (this.#text[at] === '"') return at
      if (this.#text[at] === '\\') at++
    }
    throw new NoJson()
  }

  #take(character: string): boolean {
    this.#match(blanks)
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match) this.#at = pattern.lastIndex
    return match
  }
}

/** Decodes a string literal in quotes; undefined when it is invalid. */
function textOf(literal: string): string | undefined {
  return jsonOf(literal) as string | undefined
}

/** Returns the digits of JavaScript, the shortest that identify the number, in Python's notation: `2.0`, `1e-05` and
 *  `1e+16`. */
function pythonFloat(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const [mantissa = '', power = '0'] = Math.abs(value).toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16) {
    const size = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${size}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const padded = digits.padEnd(exponent + 1, '0')
  return `${sign}${padded.slice(0, exponent + 1)}.${padded.slice(exponent + 1) || '0'}`
}
