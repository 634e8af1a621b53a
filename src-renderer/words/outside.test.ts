/** Fails on text for users outside of `words/`: text and text attributes in JSX, and strings that look like sentences. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lineAt, parsed } from '../../src-main/sourceCheck.ts'

const top = join(import.meta.dirname, '..')

/** Attributes of components whose value is shown or read aloud. */
const textAttributes =
  /^(alt|aria-(description|label|placeholder|roledescription|valuetext)|description|error|label|legend|nothingFoundMessage|placeholder|text|title)$/

/** Text that is the same in every language, or that no user reads, with the reason. */
const exceptions: Record<string, string> = {
  Loupe: 'the name of the product',
  'https://example.org/news/': 'an example of a URL',
  'Bearer …': 'a field of an HTTP header',
  'http://…:…@…': 'a URL',
  '… UTC': 'a time with its zone',
}

/** Two words and more that begin with a capital letter; `…` stands for a value. */
const looksLikeSentence = /^\p{Lu}[^\s]* +\S/u

type Node = { type: string; start: number } & Record<string, unknown>

function textOutside(path: string, code: string): string[] {
  const found: string[] = []
  const visit = (node: Node, parents: readonly Node[]): void => {
    if (node.type === 'ImportDeclaration' || isForLog(node)) return
    const text = textIn(node, parents)
    if (text !== null && !(text in exceptions)) found.push(`${path}:${lineAt(code, node.start)}: ${text}`)
    for (const value of Object.values(node)) {
      for (const child of [value].flat()) if (isNode(child)) visit(child, [node, ...parents])
    }
  }
  const program: unknown = parsed(path, code)
  if (isNode(program)) visit(program, [])
  return found
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** `parents`: the nearest first. */
function textIn(node: Node, parents: readonly Node[]): string | null {
  const text = stringOf(node)
  if (text === null) return null
  if (node.type === 'JSXText') return /\p{L}{2}/u.test(text) ? text.trim() : null
  const [parent, grandparent] = parents
  if (parent?.type === 'Property' && parent['key'] === node) return null
  const attribute = parent?.type === 'JSXExpressionContainer' ? grandparent : parent
  if (attribute?.type === 'JSXAttribute' && textAttributes.test(nameOf(attribute['name']))) {
    return /\p{L}{2}/u.test(text) ? text : null
  }
  return looksLikeSentence.test(text) ? text : null
}

/** Values in templates are written as `…`. */
function stringOf(node: Node): string | null {
  if (node.type === 'JSXText' || node.type === 'Literal')
    return typeof node['value'] === 'string' ? node['value'] : null
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node['quasis'])) return null
  return node['quasis'].map(({ value }: { value: { cooked: string } }) => value.cooked).join('…')
}

function nameOf(value: unknown): string {
  return isNode(value) && typeof value['name'] === 'string' ? value['name'] : ''
}

/** Messages for the console of the browser and for programming errors stay English. */
function isForLog(node: Node): boolean {
  const { callee } = node
  if (node.type === 'NewExpression') return nameOf(callee) === 'Error'
  return node.type === 'CallExpression' && isNode(callee) && nameOf(callee['object']) === 'console'
}

test('every text for users is in words/', () => {
  const paths = globSync('**/*.{ts,tsx}', { cwd: top }).filter(
    (path) => !/(^|[/\\])(words|testing)[/\\]|\.test\.tsx?$/.test(path),
  )
  expect(paths.length).toBeGreaterThan(100)
  expect(paths.flatMap((path) => textOutside(path, readFileSync(join(top, path), 'utf8')))).toEqual([])
})

describe('text for users is recognised', () => {
  test.each<[code: string, found: string[]]>([
    ['<p>Saved.</p>', ['a.tsx:1: Saved.']],
    ['<Button title="Save">{t("form.save")}</Button>', ['a.tsx:1: Save']],
    ['<Input placeholder={"Name"} />', ['a.tsx:1: Name']],
    ['const text = "Nothing was found."', ['a.tsx:1: Nothing was found.']],
    ['const text = `Job ${number} has ended.`', ['a.tsx:1: Job … has ended.']],
    ['const tones = { "Done, incomplete": 1 }', []],
    ['<td data-kind="number">{t("jobs.title")} · {count}</td>', []],
    ['console.warn("Loupe: no answer", error)', []],
    ['throw new Error("No such element")', []],
    ['import { a } from "./A b.ts"', []],
  ])('%s', (code, found) => {
    expect(textOutside('a.tsx', code)).toEqual(found)
  })
})
