/** Each rule is in exactly one table, is used, and has an understandable meaning. RULES.md is generated from the tables:
 *  with UPDATE_RULES=1 the page is written again. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { extensionFields, recordTypes, warcFields, type Use } from '../check/warcFields.ts'
import { textOf } from '../../contract/words/render.ts'
import { findingWords } from '../../contract/words/findings/findingWords.ts'
import type { Rule } from './rule.ts'
import { meaningOf, rules, ruleTables, type RuleName } from './rules.ts'

const update = process.env['UPDATE_RULES'] === '1'
const formats = join(import.meta.dirname, '..')
const page = join(formats, 'RULES.md')

const titles: Record<keyof typeof ruleTables, string> = {
  file: 'Whole files',
  packing: 'Compression: gzip members (RFC 1952) and zstd frames (RFC 8878)',
  warc: 'WARC files (ISO 28500): the structure of records and what is between them',
  warcFields: 'WARC records (ISO 28500): fields, types, and references between records',
  arc: 'ARC files (Internet Archive)',
  import: 'Files imported into an archive',
  har: 'HAR files (HTTP Archive 1.2)',
  http: 'Archived HTTP messages (RFC 9110, RFC 9112)',
  links: 'Links found in documents',
  logs: 'Logs of harvesters (Heritrix)',
  text: 'Text of documents',
  zip: 'Zip files (APPNOTE)',
  wacz: 'WACZ packages (Webrecorder)',
}

const all = Object.entries<Rule>(rules)
const meaning = (name: string) => textOf(meaningOf(name as RuleName))
const tables = Object.entries<Readonly<Record<string, Rule>>>(ruleTables)

test('each name is in one table only', () => {
  const names = tables.flatMap(([, table]) => Object.keys(table))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  expect([...names].sort()).toEqual(Object.keys(rules).sort())
})

test('names describe the fault', () => {
  expect(all.map(([name]) => name).filter((name) => !/^[a-z]+([A-Z0-9][a-z0-9]*)+$/.test(name))).toEqual([])
})

test('each rule has a clause, and an explanation for the owner of the file', () => {
  for (const [name, { clause }] of all) {
    const means = meaning(name)
    expect(clause, name).toMatch(/\S/)
    expect(means, `${name}: begins like a sentence`).toMatch(/^[A-Z`]/)
    expect(means, `${name}: ends like one`).toMatch(/\.$/)
    const sentences = means.split(/[.?](?:\s|$)/).length - 1
    expect(sentences, `${name}: one or two sentences, three where there is something to do`).toBeLessThanOrEqual(3)
    const words = means.replace(/`[^`]*`/g, '')
    expect(words, `${name}: no code`).not.toMatch(/\w\(|\.ts\b|\b[a-z]+[A-Z]|[{}]|=>|undefined/)
  }
})

/** Every source that may use a rule: not the tables, not the tests. */
function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'rules' ? [] : sources(path)
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [readFileSync(path, 'utf8')] : []
  })
}

test('each rule is used, and each used rule exists', () => {
  const code = sources(join(formats, '..')).join('\n')
  // A code may have a second part that distinguishes the texts of one rule: `noRecord.member`.
  const named = new Set([...code.matchAll(/'([a-z][A-Za-z0-9]+)(?:\.[A-Za-z]+)?'/g)].map(([, name = '']) => name))
  // A key of a table of findings counts as well: `{ noRecord: 'Bytes that …' }`.
  const keys = new Set([...code.matchAll(/^\s*([a-z][A-Za-z0-9]+): [`'"]/gm)].map(([, name = '']) => name))
  expect(all.map(([name]) => name).filter((name) => !named.has(name) && !keys.has(name))).toEqual([])
})

test('every text of a finding has a rule', () => {
  const named = Object.keys(findingWords).flatMap((code) => /^finding\.(\w+)/.exec(code)?.[1] ?? [])
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((name) => !Object.hasOwn(rules, name))).toEqual([])
})

/** Escapes Markdown, except for code. */
function prose(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('*', '\\*')
}

/** Pads the cells as formatters do. */
function markdownTable(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const line = (cells: string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join('\n')
}

const useWords: Record<Use, string> = {
  must: 'must',
  should: 'should',
  may: 'may',
  shouldNot: 'better not',
  mustNot: '–',
}

function fieldTable(): string {
  const head = ['field', 'clause', ...recordTypes]
  const rows = warcFields.map(({ name, clause, use }) => [
    name,
    clause,
    ...recordTypes.map((type) => useWords[use[type]]),
  ])
  return markdownTable([head, ...rows])
}

function pageText(): string {
  const groups = tables.map(([key, table]) => {
    const entries = Object.entries(table).map(
      ([name, { severity, clause }]) => `### ${name}\n\n${severity} · ${prose(clause)}\n\n${prose(meaning(name))}\n`,
    )
    return [`## ${titles[key as keyof typeof titles]}\n`, ...entries].join('\n')
  })
  return `# Rules: what a finding means

Generated from the tables in \`rules/\` and from \`check/warcFields.ts\`. Do not edit this page; to write it again, run
\`UPDATE_RULES=1 npx vitest run src-main/formats/rules\`.

An **error** means that bytes are lost or wrong, or that something cannot be found or displayed. A **warning** violates
the standard, but is understood. A **note** is allowed and worth knowing.

${groups.join('\n')}
## Fields of the types of WARC records

The clauses are those of WARC 1.1. WARC-Concurrent-To alone may be repeated; WARC-Refers-To-Target-URI and -Date are new
in 1.1.

${fieldTable()}

Known fields of extensions, and the programs that write them:

${markdownTable([['field', 'written by'], ...extensionFields.map(({ name, writers }) => [name, writers])])}
`
}

test('RULES.md matches the tables', () => {
  const text = pageText()
  if (update) writeFileSync(page, text)
  expect(readFileSync(page, 'utf8'), 'stale: UPDATE_RULES=1 npx vitest run src-main/formats/rules').toBe(text)
})
