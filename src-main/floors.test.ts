import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { floorProblems, type Rules } from './floorCheck.ts'
import { floors, forbiddenNames, homes, interfaceRooms } from './floors.ts'

const top = join(import.meta.dirname, '..')

test('the imports follow the layers of floors.ts', () => {
  const paths = globSync('src-{main,renderer}/**/*.{ts,tsx}', { cwd: top }).map((path) => path.split(sep).join('/'))
  const files = new Map(paths.sort().map((path) => [path, readFileSync(join(top, path), 'utf8')]))
  expect(paths).toContain('src-main/floors.ts')
  expect(floorProblems(files, { floors, interfaceRooms, homes, forbiddenNames })).toEqual([])
})

test('floors go down only, and every home is a floor', () => {
  const order = Object.keys(floors)
  for (const [name, { uses }] of Object.entries(floors)) {
    for (const used of uses) expect(order.indexOf(used), `${name} uses ${used}`).toBeLessThan(order.indexOf(name))
  }
  for (const home of Object.values(homes)) expect(order).toContain(home)
})

describe('a violation is found', () => {
  const rules: Rules = {
    floors: {
      contract: { why: 'Shared.', uses: [], packages: ['zod'], node: [] },
      cellar: { why: 'The lowest.', uses: ['contract'], packages: ['deep'], node: ['fs'] },
      attic: { why: 'The highest.', uses: ['contract', 'cellar'], packages: ['@scope/high'], node: [] },
      tower: { why: 'With rooms.', uses: [], packages: [], node: [], rooms: { ground: 'Low.', upper: 'High.' } },
      stage: { why: 'In no build.', uses: ['tower'], packages: [], node: [], isTesting: true },
      shells: { why: 'The door.', uses: ['attic'], packages: [], node: [] },
    },
    interfaceRooms: { parts: 'Low.', screens: 'High.', util: 'For the test of names.' },
    homes: { deep: 'cellar' },
    forbiddenNames: ['util'],
  }

  /** One or more files, head comments added; the problems must be exactly those that match, in order. */
  function check(what: string, files: Record<string, string>, ...expected: RegExp[]): void {
    test(what, () => {
      const headed = Object.entries(files).map(
        ([path, text]) => [path, text.startsWith('BARE') ? text.slice(4) : `/** Head. */\n${text}`] as const,
      )
      const found = floorProblems(new Map(headed), rules)
      expect(found).toHaveLength(expected.length)
      expected.forEach((pattern, index) => {
        expect(found[index]).toMatch(pattern)
      })
    })
  }

  const cellar = 'export const a = 1'
  check('nothing wrong', {
    'src-main/attic/a.ts': `import { a } from '../cellar/c.ts'\nexport const b = a`,
    'src-main/cellar/c.ts': cellar,
  })
  check(
    'upward import',
    { 'src-main/cellar/c.ts': `import '../attic/a.ts'`, 'src-main/attic/a.ts': cellar },
    /^src-main\/cellar\/c\.ts:2 imports from attic; the floor cellar uses contract\. \(The lowest/,
  )
  check(
    'upward type import',
    { 'src-main/cellar/c.ts': `import type { A } from '../attic/a.ts'`, 'src-main/attic/a.ts': cellar },
    /imports from attic/,
  )
  check(
    'upward import in a type',
    { 'src-main/cellar/c.ts': `export type A = import('../attic/a.ts').A`, 'src-main/attic/a.ts': cellar },
    /imports from attic/,
  )
  check(
    'upward import() and re-export',
    {
      'src-main/cellar/c.ts': `export { a } from '../attic/a.ts'\nawait import('../attic/a.ts')`,
      'src-main/attic/a.ts': cellar,
    },
    /c\.ts:2/,
    /c\.ts:3/,
  )
  check(
    'absent file',
    { 'src-main/cellar/c.ts': `import './gone.ts'` },
    /names src-main\/cellar\/gone\.ts, which does not exist/,
  )
  check(
    'foreign package',
    { 'src-main/attic/a.ts': `import 'left-pad/x'` },
    /imports left-pad; the floor attic may use @scope\/high/,
  )
  check('scoped package, allowed', { 'src-main/attic/a.ts': `import '@scope/high/part'` })
  check('package away from home', { 'src-main/attic/a.ts': `import 'deep'` }, /whose one home is the floor cellar/)
  check(
    'foreign Node module',
    { 'src-main/attic/a.ts': `import 'node:fs'` },
    /imports node:fs; the floor attic may use no module/,
  )
  check('Node module without its prefix', { 'src-main/cellar/c.ts': `import 'fs'` }, /write 'node:fs'/)
  check('a test may import anything', {
    'src-main/cellar/c.test.ts': `BAREimport 'node:http'\nimport 'vitest'\nimport '../attic/a.ts'`,
    'src-main/attic/a.ts': cellar,
  })
  check(
    'nothing imports a test',
    { 'src-main/cellar/c.ts': `import './c.test.ts'`, 'src-main/cellar/c.test.ts': cellar },
    /tests are imported by nothing/,
  )
  check('what only tests import is a test', {
    'src-main/cellar/made.ts': `import 'node:os'\nimport './more.ts'`,
    'src-main/cellar/more.ts': `import 'vitest'`,
    'src-main/cellar/c.test.ts': `import './made.ts'`,
  })
  check(
    'what the product imports too is not',
    {
      'src-main/cellar/made.ts': `import 'node:os'`,
      'src-main/cellar/c.ts': `import './made.ts'`,
      'src-main/cellar/c.test.ts': `import './c.ts'\nimport './made.ts'`,
      'src-main/attic/a.ts': `import '../cellar/c.ts'`,
    },
    /imports node:os/,
  )
  check(
    'a lower room imports a higher one, or the root',
    {
      'src-main/tower/ground/a.ts': `import '../upper/b.ts'\nimport '../door.ts'`,
      'src-main/tower/upper/b.ts': `import './c.ts'`,
      'src-main/tower/upper/c.ts': cellar,
      'src-main/tower/door.ts': cellar,
    },
    /a\.ts:2 imports src-main\/tower\/upper\/b\.ts: the room upper is above the room ground/,
    /a\.ts:3 imports src-main\/tower\/door\.ts: the root of src-main\/tower is above/,
  )
  check('higher rooms import lower ones, and the root all', {
    'src-main/tower/door.ts': `import './upper/b.ts'\nimport './ground/a.ts'`,
    'src-main/tower/upper/b.ts': `import '../ground/a.ts'\nimport '../ground/inner/c.ts'`,
    'src-main/tower/ground/a.ts': cellar,
    'src-main/tower/ground/inner/c.ts': `import '../d.ts'`,
    'src-main/tower/ground/d.ts': cellar,
  })
  check('a folder that is no room', { 'src-main/tower/shaft/a.ts': cellar }, /lies in no room: name shaft/)
  check('what lies in testing is a test', {
    'src-main/tower/testing/a.ts': `import 'vitest'\nimport '../upper/b.ts'`,
    'src-main/tower/upper/b.ts': cellar,
  })
  check(
    'nothing but tests imports what lies in testing',
    {
      'src-main/tower/upper/b.ts': `import '../testing/a.ts'`,
      'src-main/tower/testing/a.ts': cellar,
      'src-main/stage/a.ts': `import '../tower/testing/a.ts'`,
    },
    /b\.ts:2 imports src-main\/tower\/testing\/a\.ts; tests are imported by nothing/,
  )
  check(
    'rooms of the interface',
    { 'src-renderer/parts/a.ts': `import '../screens/b.ts'`, 'src-renderer/screens/b.ts': cellar },
    /the room screens is above the room parts/,
  )
  check('forbidden file', { 'src-main/cellar/util.ts': cellar }, /the name 'util' says nothing/)
  check('forbidden folder', { 'src-renderer/util/a.ts': cellar }, /the name 'util' says nothing/)
  check('unknown floor', { 'src-main/shed/a.ts': cellar }, /there is no floor 'shed'/)
  check('no head', { 'src-main/cellar/c.ts': `BARE// a note\n${cellar}` }, /no comment at its head/)
  check('head after a shebang', { 'src-main/cellar/c.ts': `BARE#!/usr/bin/env node\n/** Head. */\n${cellar}` })
  check(
    'barrel',
    { 'src-main/cellar/c.ts': `export * from './d.ts'`, 'src-main/cellar/d.ts': cellar },
    /only passes on/,
  )
  check(
    'circle',
    {
      'src-main/cellar/a.ts': `import './b.ts'`,
      'src-main/cellar/b.ts': `import type { A } from './c.ts'`,
      'src-main/cellar/c.ts': `import './a.ts'`,
    },
    /^src-main\/cellar\/a\.ts → src-main\/cellar\/b\.ts → src-main\/cellar\/c\.ts → src-main\/cellar\/a\.ts is a circle/,
  )
  check(
    'threads of one name',
    { 'src-main/cellar/a.thread.ts': cellar, 'src-main/attic/a.thread.ts': cellar },
    /have one name/,
  )
  check('a thread next to its file', {
    'src-main/cellar/c.ts': `new URL('./a.thread.ts', import.meta.url)`,
    'src-main/cellar/a.thread.ts': cellar,
  })
  check(
    'a thread elsewhere',
    {
      'src-main/cellar/c.ts': `new URL('../attic/a.thread.ts', import.meta.url)`,
      'src-main/attic/a.thread.ts': cellar,
    },
    /must be next to the file/,
  )
  check(
    'a thread that is not there',
    { 'src-main/cellar/c.ts': `new URL('./a.thread.ts', import.meta.url)` },
    /which does not exist/,
  )
  check(
    'the interface knows the contract only',
    {
      'src-renderer/a.ts': `import '../src-main/contract/c.ts'\nimport '../src-main/cellar/c.ts'`,
      'src-main/contract/c.ts': cellar,
      'src-main/cellar/c.ts': cellar,
    },
    /of src-main the interface knows only the contract/,
  )
  check(
    'the engine does not know the interface',
    { 'src-main/attic/a.ts': `import type { A } from '../../src-renderer/a.ts'`, 'src-renderer/a.ts': cellar },
    /the engine does not know the interface/,
  )
  check('a shell may know types of the interface', {
    'src-main/shells/a.ts': `import type { A } from '../../src-renderer/a.ts'`,
    'src-renderer/a.ts': cellar,
  })
  check(
    'a shell may not take its code',
    { 'src-main/shells/a.ts': `import '../../src-renderer/a.ts'`, 'src-renderer/a.ts': cellar },
    /only types/,
  )
})
