/** Fails on sentences for users outside of `contract/words/`, where they could not be translated. */
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

/** Three words or more, of letters only, with single spaces between them: a part of a sentence. */
const fragment = /(?<![\p{L}\p{N}_$.\-/<>="'`:])\p{L}[\p{Ll}']*( \p{L}?[\p{Ll}']+){2,}/u

/** Statements of SQL are words too. */
const sql = /\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|PRAGMA|CREATE)\b/

/** Files and folders with text that is not translated, and why. */
const untranslated: Record<string, string> = {
  'app/folders/archiveFolder.ts': 'names of folders',
  'archive/audit/auditHead.ts': 'a file on disk, which other programs read',
  'archive/backup/manifest.ts': 'a file on disk, which other programs read',
  'archive/batch/failureText.ts': 'errors for authors of batch modules',
  'archive/batch/stepOutput.ts': 'errors for authors of batch modules',
  'contract/calls/service.ts': 'bugs of a transport, for developers',
  'contract/states/jobStates.ts': 'names of statuses, which `--json` has',
  'contract/states/jobStatuses.ts': 'names of statuses, which `--json` has',
  'crawl/capture/connectors/folderFile.ts': 'the cause of an error, for developers',
  'crawl/capture/login/redaction.ts': 'a field of WARC records',
  'crawl/finish/heritrixReports.ts': 'reports in the words of Heritrix, which programs read',
  'crawl/finish/progressStatistics.ts': 'a log in the words of Heritrix, which programs read',
  'crawl/finish/reports.ts': 'a heading of the reports of Heritrix',
  'crawl/jobs/jobSummaries.ts': 'names of statuses, which `--json` has',
  'crawl/loops/engine.ts': 'a field of warcinfo records',
  'formats/cdx/cdxColumns.ts': 'a header line of CDX files',
  'formats/check/warcFields.ts': 'names of programs',
  'formats/rewrite/': 'fields of warcinfo records',
  'formats/rules/': 'clauses of standards',
  'harvest/generation/setupRecords.ts': 'records that programs of NetarchiveSuite read',
  'shells/cli/input/completionScript.ts': 'scripts for shells',
  'shells/server/chromium.ts': 'names of programs, and commands that install them',
  'shells/server/rewrittenScripts.ts': 'scripts of rewritten replay; their texts are parameters',
  'shells/server/scrollScript.ts': 'a script for archived pages',
  'viewer/commands/controlCommands.ts': 'answers to scripts of NetarchiveSuite',
  'viewer/model/reply.ts': 'phrases of HTTP',
  'viewer/model/resourceType.ts': 'names of file extensions',
  'viewer/proxy/proxy.ts': 'answers of HTTP',
  'world/world.ts': 'errors for logs',
}

type Node = { type: string; start: number } & Record<string, unknown>

/** Lists the texts that look like sentences or, if `withFragments`, like parts of sentences. */
function sentencesIn(path: string, code: string, withFragments = true): string[] {
  const found: string[] = []
  const refusals = new Set<Node>()
  const isText = (text: string) => sentence.test(text) || (withFragments && fragment.test(text) && !sql.test(text))
  const visit = (node: Node): void => {
    if (isForDevelopers(node)) return
    const refusal = refusalIn(node)
    if (refusal) refusals.add(refusal)
    const text = textIn(node)
    if (text !== null && (isText(text) || refusals.has(node)))
      found.push(`${path}:${lineAt(code, node.start)}: ${text}`)
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

/** Checks of zod that take a text of their own for a value that they refuse, as their second argument. */
const shapeChecks = new Set(['min', 'max', 'length', 'regex', 'refine', 'enum'])

/** Returns the second argument of a check of a shape: a text there, however short, is for users. */
function refusalIn({ type, callee, arguments: given }: Node): Node | undefined {
  if (type !== 'CallExpression' || !isNode(callee) || !shapeChecks.has(nameOf(callee['property']))) return undefined
  return Array.isArray(given) && isNode(given[1]) ? given[1] : undefined
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
const exemptionOf = (path: string) => Object.keys(untranslated).find((place) => path.startsWith(place))
const textsOf = (path: string, withFragments: boolean) =>
  sentencesIn(path, readFileSync(join(import.meta.dirname, path), 'utf8'), withFragments)

test('every sentence for users is in contract/words', () => {
  expect(product.length).toBeGreaterThan(50)
  expect(product.flatMap((path) => textsOf(path, exemptionOf(path) === undefined))).toEqual([])
})

test.each(Object.keys(untranslated))('%s has text that is not translated, or leaves the list', (place) => {
  expect(product.filter((path) => path.startsWith(place)).some((path) => textsOf(path, true).length > 0)).toBe(true)
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
  const quoted = new Set(code.match(/(?<=')[\w.-]+(?=')/g))
  // A text, a column of a table (`>size`), a key of an object, or a month.
  const named = new Set(code.match(/(?<='>?)\w+(?=')|\w+(?=:)|\b\d+\b/g))
  // `jobLog.asked.${action}` uses every message that begins with `jobLog.asked.` and ends with a name that occurs in the code.
  const begun = new Set([...code.matchAll(/(?:message|textFor)\(`([\w.]*)\$/g)].map(([, start]) => start))
  const isCompleted = (message: string) => {
    const end = message.lastIndexOf('.') + 1
    return begun.has(message.slice(0, end)) && named.has(message.slice(end))
  }
  const isLookedUp = (message: string) =>
    settingMeanings.has(message) || ruleMeanings.has(message) || tableTexts.has(message)
  // `finding('recordTorn')` makes the message `finding.recordTorn`.
  const isUsed = (message: string) =>
    quoted.has(message.replace(/^finding\./, '')) || isLookedUp(message) || isCompleted(message)
  expect(Object.keys(en).filter((message) => !isUsed(message))).toEqual([])
})

/** A capital letter, a value, a quoted name, an option or the path of a setting begins a sentence; a value may end it. */
const faultSentence = /^(\p{Lu}|\{|"|--|[a-z]+\.[a-z]+: ).*[.!?}]$/su

test('the message of a fault is a sentence', () => {
  const code = product.map((path) => readFileSync(join(import.meta.dirname, path), 'utf8')).join('\n')
  const codes = [...code.matchAll(/new \w*Fault\(\s*'\w+',\s*message\(\s*'([\w.-]+)'/g)].map(([, name = '']) => name)
  const templates: Readonly<Record<string, string>> = en
  expect(codes.length).toBeGreaterThan(50)
  expect(codes.filter((name) => !faultSentence.test(templates[name] ?? ''))).toEqual([])
})

describe('a sentence for users is recognised', () => {
  test.each<[code: string, found: string[]]>([
    ['const text = "Nothing was found."', ['a.ts:1: Nothing was found.']],
    ['const text = `Job ${number} has ended.`', ['a.ts:1: Job … has ended.']],
    ['throw new Fault("refused", `Is ${name} there?`)', ['a.ts:1: Is … there?']],
    ['const state = "Done, incomplete"', []],
    ['const why = "the queue is empty"', ['a.ts:1: the queue is empty']],
    ['const why = `${name} has gone away`', ['a.ts:1: … has gone away']],
    ['const sql = "SELECT all these columns FROM job"', []],
    ['const classes = "panel panel-wide"', []],
    ['const shape = z.string().min(1, "empty")', ['a.ts:1: empty']],
    ['const shape = z.string().startsWith("a", "b")', []],
    ['throw new Error("The table lacks a row.")', []],
    ['console.error("The engine ended early.")', []],
    ['log(`The window of ${user} was closed.`)', []],
  ])('%s', (code, found) => {
    expect(sentencesIn('a.ts', code)).toEqual(found)
  })
})
