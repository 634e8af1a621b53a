import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { importBuiltinsDirectly } from './builtinImports.ts'

test.each<[string, string]>([
  [
    'import { join, resolve as resolve$1 } from "node:path";',
    'const { join, resolve: resolve$1 } = GIVEN("node:path");',
  ],
  ['import process from "node:process";', 'const process = GIVEN("node:process");'],
  ['import * as tls from "node:tls";', 'const tls = GIVEN("node:tls");'],
  [
    'import fs, { rm } from "node:fs/promises";',
    'const fs = GIVEN("node:fs/promises"); const { rm } = GIVEN("node:fs/promises");',
  ],
  ['import { t as one } from "./one-Ab1.js";', 'import { t as one } from "./one-Ab1.js";'],
  ['import Database from "better-sqlite3";', 'import Database from "better-sqlite3";'],
  ['const text = `import x from "node:fs";`', 'const text = `import x from "node:fs";`'],
])('%s', (line, expected) => {
  const whole = (text: string) => `"use strict";\n${text}\nafter();\n`
  expect(importBuiltinsDirectly(whole(line))).toBe(
    whole(expected.replaceAll('GIVEN', 'globalThis.process.getBuiltinModule')),
  )
})

test('the declarations equal an import', async () => {
  const code = importBuiltinsDirectly('import path, { join as j } from "node:path";')
  const made: unknown = runInThisContext(`(() => { ${code} return [path.sep, j('a', 'b')] })()`)
  const { sep, join } = await import('node:path')
  expect(made).toEqual([sep, join('a', 'b')])
})
