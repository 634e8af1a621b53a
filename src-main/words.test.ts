/** No sentence for users stands outside of `contract/words/`, where it would be lost to every other language. */
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settingTable } from './app/settings/settingTable.ts'
import { reasonOutcomes, truncationNames } from './contract/states/outcomes.ts'
import type { StateTexts } from './contract/states/stateTable.ts'
import * as machines from './contract/states/states.ts'
import { en } from './contract/words/en.ts'
import type { Message } from './contract/words/message.ts'
import { rules } from './formats/rules/rules.ts'
import { lineAt, parsed } from './sourceCheck.ts'

/** Three words or more that begin with a capital letter and end as a sentence does; `…` stands for a value. */
const sentence = /^\p{Lu}\S*( +\S+){2,}[.?!:]$/u

type Node = { type: string; start: number } & Record<string, unknown>

function sentencesIn(path: string, code: string): string[] {
  const found: string[] = []
  const visit = (node: Node): void => {
    if (isForDevelopers(node)) return
    const text = textIn(node)
    if (text !== null && sentence.test(text)) found.push(`${path}:${lineAt(code, node.start)}: ${text}`)
    for (const value of Object.values(node)) {
      for (const child of [value].flat()) if (isNode(child)) visit(child)
    }
  }
  const program: unknown = parsed(path, code)
  if (isNode(program)) visit(program)
  return found
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function textIn(node: Node): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node['quasis'])) return null
  return node['quasis'].map(({ value }: { value: { cooked: string } }) => value.cooked).join('…')
}

/** The message of a bug, and what a shell logs, stay English. */
function isForDevelopers(node: Node): boolean {
  const callee = node['callee']
  if (!isNode(callee)) return false
  if (node.type === 'NewExpression') return nameOf(callee) === 'Error'
  return node.type === 'CallExpression' && (nameOf(callee) === 'log' || nameOf(callee['object']) === 'console')
}

function nameOf(value: unknown): string {
  return isNode(value) && typeof value['name'] === 'string' ? value['name'] : ''
}

/** Tests and files that no build contains have no text for users. */
const product = globSync('*/**/*.ts', { cwd: import.meta.dirname })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => !/(^|\/)(words|testing|simulation)\/|\.test\.ts$/.test(path))
const sentencesOf = (paths: readonly string[]) =>
  paths.flatMap((path) => sentencesIn(path, readFileSync(join(import.meta.dirname, path), 'utf8')))

test('every sentence for users is in contract/words', () => {
  expect(product.length).toBeGreaterThan(50)
  expect(sentencesOf(product)).toEqual([])
})

/** Meanings of settings are looked up by the path of the setting. */
const settingMeanings = new Set(settingTable.map(({ path }) => `setting.${path}`))

test('every setting has its meaning', () => {
  expect([...settingMeanings].filter((message) => !Object.hasOwn(en, message))).toEqual([])
})

/** Meanings of rules are looked up by the name of the rule. */
const ruleMeanings = new Set(Object.keys(rules).map((rule) => `rule.${rule}`))

/** Texts of states and outcomes are looked up by their names. */
const tableTexts = new Set([
  ...Object.values(machines).flatMap(({ rows }) =>
    Object.values<StateTexts>(rows).flatMap(({ meaning, badge }) => [...codesIn(meaning), ...codesIn(badge)]),
  ),
  ...Object.keys(reasonOutcomes).map((reason) => `reason.${reason}`),
  ...truncationNames.map((truncation) => `truncation.${truncation}`),
])

function codesIn({ code, values = {} }: Message): string[] {
  return [code, ...Object.values(values).flatMap((value) => (typeof value === 'object' ? codesIn(value) : []))]
}

test('every state, reason and truncation has its text', () => {
  expect([...tableTexts].filter((message) => !Object.hasOwn(en, message))).toEqual([])
})

test('every message is used', () => {
  const paths = [...product, 'contract/words/joined.ts']
  const code = paths.map((path) => readFileSync(join(import.meta.dirname, path), 'utf8')).join('\n')
  // `jobLog.asked.${action}` uses every message that begins with `jobLog.asked.`.
  const isCompleted = (message: string) =>
    ['message', 'textFor'].some((call) => code.includes(`${call}(\`${message.slice(0, message.lastIndexOf('.') + 1)}$`))
  const isLookedUp = (message: string) =>
    settingMeanings.has(message) || ruleMeanings.has(message) || tableTexts.has(message)
  // `finding('recordTorn')` makes the message `finding.recordTorn`.
  const isUsed = (message: string) =>
    code.includes(`'${message.replace(/^finding\./, '')}'`) || isLookedUp(message) || isCompleted(message)
  expect(Object.keys(en).filter((message) => !isUsed(message))).toEqual([])
})

describe('a sentence for users is recognised', () => {
  test.each<[code: string, found: string[]]>([
    ['const text = "Nothing was found."', ['a.ts:1: Nothing was found.']],
    ['const text = `Job ${number} has ended.`', ['a.ts:1: Job … has ended.']],
    ['throw new Fault("refused", `Is ${name} there?`)', ['a.ts:1: Is … there?']],
    ['const state = "Done, incomplete"', []],
    ['const sql = "SELECT * FROM job"', []],
    ['throw new Error("The table lacks a row.")', []],
    ['console.error("The engine ended early.")', []],
    ['log(`The window of ${user} was closed.`)', []],
  ])('%s', (code, found) => {
    expect(sentencesIn('a.ts', code)).toEqual(found)
  })
})
