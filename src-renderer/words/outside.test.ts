/** No text for users stands outside of `words/`: neither text and text attributes in JSX nor strings that look like a sentence. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

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

function textOutside(path: string, code: string): string[] {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, kind)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || isForLog(node)) return
    const text = textIn(node)
    if (text !== null && !(text in exceptions)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      found.push(`${path}:${line + 1}: ${text}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function textIn(node: ts.Node): string | null {
  if (ts.isJsxText(node)) return /\p{L}{2}/u.test(node.text) ? node.text.trim() : null
  const text = stringOf(node)
  if (text === null) return null
  const { parent } = node
  if (ts.isPropertyAssignment(parent) && parent.name === node) return null
  const attribute = ts.isJsxExpression(parent) ? parent.parent : parent
  if (ts.isJsxAttribute(attribute) && textAttributes.test(attribute.name.getText())) {
    return /\p{L}{2}/u.test(text) ? text : null
  }
  return looksLikeSentence.test(text) ? text : null
}

function stringOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text
  return ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
    : null
}

/** Messages for the console of the browser and for programming errors stay English. */
function isForLog(node: ts.Node): boolean {
  return (
    (ts.isCallExpression(node) && /^console\./.test(node.expression.getText())) ||
    (ts.isNewExpression(node) && node.expression.getText() === 'Error')
  )
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
    ['<Button title="Save">{say("form.save")}</Button>', ['a.tsx:1: Save']],
    ['<Input placeholder={"Name"} />', ['a.tsx:1: Name']],
    ['const text = "Nothing was found."', ['a.tsx:1: Nothing was found.']],
    ['const text = `Job ${number} has ended.`', ['a.tsx:1: Job … has ended.']],
    ['const tones = { "Done, incomplete": 1 }', []],
    ['<td data-kind="number">{say("jobs.title")} · {count}</td>', []],
    ['console.warn("Loupe: no answer", error)', []],
    ['throw new Error("No such element")', []],
    ['import { a } from "./A b.ts"', []],
  ])('%s', (code, found) => {
    expect(textOutside('a.tsx', code)).toEqual(found)
  })
})
