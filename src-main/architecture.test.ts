import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { diagram, type StateTable } from './contract/states/stateTable.ts'
import * as machines from './contract/states/states.ts'

/** docs/state-machines.md contains a diagram of every state machine, generated from its table. UPDATE_DIAGRAMS=1 writes the page again;
 *  otherwise an outdated diagram fails the test. */
const page = join(import.meta.dirname, '../docs/state-machines.md')
const update = process.env['UPDATE_DIAGRAMS'] === '1'

function drawn(table: StateTable<string, string>): string {
  return ['```mermaid', diagram(table), '```'].join('\n')
}

function between(name: string): RegExp {
  return new RegExp(`(<!-- diagram ${name} -->\n+)([^]*?)(\n+<!-- /diagram -->)`)
}

describe.skipIf(!existsSync(page))('docs/state-machines.md', () => {
  test.each(Object.entries(machines))('draws %s as its table says', (name, machine) => {
    const text = readFileSync(page, 'utf8')
    expect(text, `no <!-- diagram ${name} --> … <!-- /diagram --> in the page`).toMatch(between(name))
    if (update) {
      writeFileSync(
        page,
        text.replace(between(name), (_, head: string, __, foot: string) => head + drawn(machine) + foot),
      )
    }
    const found = between(name).exec(readFileSync(page, 'utf8'))?.[2]
    expect(found, 'stale: UPDATE_DIAGRAMS=1 npx vitest run src-main/architecture.test.ts').toBe(drawn(machine))
  })
  test('draws no machine that is gone', () => {
    const names = [...readFileSync(page, 'utf8').matchAll(/<!-- diagram (\w+) -->/g)].map((match) => match[1])
    expect(names.sort()).toEqual(Object.keys(machines).sort())
  })
})
