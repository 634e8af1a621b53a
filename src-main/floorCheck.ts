/** Reads all imports and compares them with `floors.ts`: which floors and rooms import each other, which packages and Node modules they
 *  use, how files are named, and whether each file begins with its purpose. Problems are sentences that explain the rule, for readers who
 *  do not know it. It runs in `floors.test.ts` only. What the type checker or the linter reports is not repeated here. */
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { Visitor } from 'oxc-parser'
import type { Floor } from './floors.ts'
import { lineAt, parsed } from './sourceCheck.ts'

/** The rules in the form in which tests can replace them. */
export interface Rules {
  floors: Record<string, Floor>
  /** Those of `src-renderer`. */
  interfaceRooms?: Floor['rooms']
  /** Package → the one floor that imports it. */
  homes: Record<string, string>
  forbiddenNames: readonly string[]
}

/** Path from the top of the checkout, with forward slashes → its text. */
export type Files = ReadonlyMap<string, string>

/** An import of a file; `name` is the specifier as written. */
interface Import {
  line: number
  name: string
  typeOnly: boolean
}

/** End of the names of modules that start in a thread of their own. */
const threadEnding = '.thread.ts'

/** What every rule examines. */
interface House {
  files: Files
  rules: Rules
  /** Tests, and what only tests import: they ship in no build, and may import anything. */
  tests: ReadonlySet<string>
}

/** Returns all violations of the rules, each a sentence that begins with a path. */
export function floorProblems(files: Files, rules: Rules): string[] {
  const imports = new Map([...files].map(([path, text]) => [path, importsOf(path, text)]))
  const graph = graphOf(imports, files)
  const house: House = { files, rules, tests: testsOf(graph) }
  const problems: string[] = []
  for (const [path, text] of files) {
    problems.push(...nameProblems(path, rules), ...headProblems(path, text), ...barrelProblems(path, text))
    problems.push(...roomProblems(path, rules))
    for (const found of imports.get(path) ?? []) problems.push(...importProblems(path, found, house))
    problems.push(...threadUrlProblems(path, text, house))
  }
  return [...problems, ...cycleProblems(graph), ...threadNameProblems(files)]
}

/** File → the files that it imports. */
type Graph = Map<string, string[]>

function graphOf(imports: ReadonlyMap<string, Import[]>, files: Files): Graph {
  const targets = (path: string, found: Import[]) =>
    found.map(({ name }) => targetOf(path, name)).filter((target) => files.has(target))
  return new Map([...imports].map(([path, found]) => [path, targets(path, found)]))
}

/** Returns the tests and everything that only they import. */
function testsOf(graph: Graph): Set<string> {
  const importers = new Map<string, string[]>()
  for (const [path, targets] of graph)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), path])
  const tests = new Set([...graph.keys()].filter(isTest))
  // A file that only tests import is one of them, and so is a file that only that one imports: repeated until nothing changes.
  for (let before = -1; before < tests.size;) {
    before = tests.size
    for (const [path, by] of importers) if (by.every((importer) => tests.has(importer))) tests.add(path)
  }
  return tests
}

function importProblems(path: string, found: Import, house: House): string[] {
  const at = `${path}:${found.line}`
  if (found.name.startsWith('.')) return relativeProblems(at, path, found, house)
  if (!path.startsWith('src-main/') || house.tests.has(path) || isTool(path)) return []
  return isBuiltin(found.name)
    ? builtinProblems(at, path, found.name, house.rules)
    : packageProblems(at, path, found.name, house.rules)
}

/** Checks an import of another file: it exists, is no test, and its floor and room may be imported. */
function relativeProblems(at: string, path: string, found: Import, { files, rules, tests }: House): string[] {
  const target = targetOf(path, found.name)
  if (/\.tsx?$/.test(target) && !files.has(target)) return [`${at} names ${target}, which does not exist.`]
  if (tests.has(path)) return []
  const { floors } = rules
  if (isTest(target) && !(isSupport(target) && floors[floorOf(path) ?? '']?.isTesting))
    return [`${at} imports ${target}; tests are imported by nothing.`]
  if (path.startsWith('src-renderer/')) {
    return target.startsWith('src-main/') && floorOf(target) !== 'contract'
      ? [`${at} imports ${target}; of src-main the interface knows only the contract, everything else is the engine's.`]
      : roomImportProblems(at, path, target, rules)
  }
  if (target.startsWith('src-renderer/')) {
    // The preload script hands the page its link, so the two must agree on its type; a type leaves nothing in the build.
    return floorOf(path) === 'shells' && found.typeOnly
      ? []
      : [`${at} imports ${target}; the engine does not know the interface (only shells may, and only types).`]
  }
  const from = floorOf(path)
  const to = floorOf(target)
  if (!target.startsWith('src-main/') || from === undefined || to === undefined) return []
  if (from === to) return roomImportProblems(at, path, target, rules)
  if (floors[from]?.uses.includes(to)) return []
  const allowed = floors[from]?.uses.join(', ') || 'no other floor'
  return [
    `${at} imports from ${to}; the floor ${from} uses ${allowed}. (${floors[from]?.why ?? 'It is not in floors.ts.'})`,
  ]
}

/** A room: its name, its place from the lowest on, and what it belongs to. The root of a floor is above all of its rooms. */
interface Place {
  building: string
  room: string | undefined
  level: number
}

/** Undefined where no rooms are listed. */
function placeOf(path: string, { floors, interfaceRooms }: Rules): Place | undefined {
  const floor = floorOf(path)
  const building = path.startsWith('src-renderer/') ? 'src-renderer' : `src-main/${floor}`
  const rooms = building === 'src-renderer' ? interfaceRooms : floors[floor ?? '']?.rooms
  if (rooms === undefined) return undefined
  const names = Object.keys(rooms)
  const folder = posix.dirname(path).slice(building.length + 1)
  const within = names.filter((name) => folder === name || folder.startsWith(`${name}/`))
  const room = within.sort((one, other) => other.length - one.length)[0]
  return { building, room, level: room === undefined ? names.length : names.indexOf(room) }
}

function roomProblems(path: string, rules: Rules): string[] {
  const place = placeOf(path, rules)
  const folder = posix.dirname(path)
  if (!place || place.room !== undefined || folder === place.building || isSupport(path)) return []
  return [`${path} lies in no room: name ${folder.slice(place.building.length + 1)} in src-main/floors.ts.`]
}

/** Both files are of the same floor, or of the interface. */
function roomImportProblems(at: string, path: string, target: string, rules: Rules): string[] {
  const from = placeOf(path, rules)
  const to = placeOf(target, rules)
  if (!from || !to || from.building !== to.building || to.level <= from.level) return []
  const what = to.room === undefined ? `the root of ${to.building}` : `the room ${to.room}`
  return [`${at} imports ${target}: ${what} is above the room ${from.room}.`]
}

function builtinProblems(at: string, path: string, name: string, { floors }: Rules): string[] {
  const floor = floorOf(path)
  if (floor === undefined) return []
  if (!name.startsWith('node:'))
    return [`${at} imports '${name}'; write 'node:${name}', so that no package can take its place.`]
  const module = name.slice('node:'.length)
  if (floors[floor]?.node.includes(module)) return []
  return [
    `${at} imports ${name}; the floor ${floor} may use ${floors[floor]?.node.join(', ') || 'no module'} of Node's.`,
  ]
}

function packageProblems(at: string, path: string, name: string, { floors, homes }: Rules): string[] {
  const floor = floorOf(path)
  if (floor === undefined) return []
  const packageName = name.split('/', name.startsWith('@') ? 2 : 1).join('/')
  const home = homes[packageName]
  if (home !== undefined && home !== floor)
    return [`${at} imports ${packageName}, whose one home is the floor ${home}.`]
  if (floors[floor]?.packages.includes(packageName)) return []
  return [
    `${at} imports ${packageName}; the floor ${floor} may use ${floors[floor]?.packages.join(', ') || 'no package'}.`,
  ]
}

function nameProblems(path: string, { floors, forbiddenNames }: Rules): string[] {
  const problems = path
    .split('/')
    .map((segment) => segment.replace(/\..*$/, ''))
    .filter((name) => forbiddenNames.includes(name))
    .map((name) => `${path}: the name '${name}' says nothing about what is inside.`)
  const floor = floorOf(path)
  if (floor !== undefined && !floors[floor])
    problems.push(`${path}: there is no floor '${floor}' in src-main/floors.ts.`)
  return problems
}

/** A file begins with a block comment about its purpose. Tests need none, because their titles show it. */
function headProblems(path: string, text: string): string[] {
  if (/\.test\.tsx?$/.test(path) || !path.startsWith('src-main/')) return []
  const withoutShebang = text.replace(/^#!.*\n/, '')
  return /^\s*\/\*\*/.test(withoutShebang) ? [] : [`${path} has no comment at its head that says what it is for.`]
}

/** Reports files that only re-export: they hide where something is defined. */
function barrelProblems(path: string, text: string): string[] {
  const { body } = parsed(path, text)
  const onlyPassesOn =
    body.length > 0 &&
    body.every(
      (statement) =>
        statement.type === 'ExportAllDeclaration' ||
        (statement.type === 'ExportNamedDeclaration' && statement.source !== null),
    )
  return onlyPassesOn ? [`${path} only passes on what others export; a floor's door holds real code.`] : []
}

/** The module of a thread must be next to the file that starts it: only './x.thread.ts' is the same path in a checkout and in a
 *  build, where all of them are in one folder. */
function threadUrlProblems(path: string, text: string, { files, tests }: House): string[] {
  if (tests.has(path) || !path.startsWith('src-main/') || isTool(path) || !text.includes(threadEnding)) return []
  const problems: string[] = []
  const look = (name: string) => {
    if (!name.endsWith(threadEnding)) return
    if (!/^\.\/[^/]+$/.test(name))
      problems.push(
        `${path} starts the thread ${name}; the module of a thread must be next to the file that starts it.`,
      )
    else if (!files.has(targetOf(path, name))) problems.push(`${path} starts the thread ${name}, which does not exist.`)
  }
  new Visitor({
    NewExpression: ({ arguments: [first] }) => {
      if (first?.type === 'Literal' && typeof first.value === 'string') look(first.value)
    },
  }).visit(parsed(path, text))
  return problems
}

/** In a build the modules of all threads are in one folder, so two of the same name would be one file. */
function threadNameProblems(files: Files): string[] {
  const byName = Map.groupBy(
    [...files.keys()].filter((path) => path.endsWith(threadEnding)),
    (path) => posix.basename(path),
  )
  return [...byName.values()]
    .filter((paths) => paths.length > 1)
    .map((paths) => `${paths.join(' and ')} have one name, and would be one file in a build.`)
}

/** Reports every cycle of imports once, beginning with its first file in alphabetical order. Imports of types count too, because
 *  readers have to follow them as well. */
function cycleProblems(graph: Graph): string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: string[]) => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      cycles.push(`${[...trail.slice(start), path].join(' → ')} is a circle of imports.`)
      return
    }
    if (done.has(path)) return
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of [...graph.keys()].sort()) visit(path, [])
  return cycles
}

/** Returns the imports of a file: declarations, re-exports, `import('…')` and `import('…').Type`. */
function importsOf(path: string, text: string): Import[] {
  const found: Import[] = []
  const add = ({ value: name, start }: { value: string; start: number }, typeOnly: boolean) =>
    void found.push({ line: lineAt(text, start), name, typeOnly })
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => {
      add(source, importKind === 'type')
    },
    ExportAllDeclaration: ({ source, exportKind }) => {
      add(source, exportKind === 'type')
    },
    ExportNamedDeclaration: ({ source, exportKind }) => {
      if (source) add(source, exportKind === 'type')
    },
    TSImportType: ({ source }) => {
      add(source, true)
    },
    ImportExpression: ({ source }) => {
      if (source.type === 'Literal' && typeof source.value === 'string')
        add({ value: source.value, start: source.start }, false)
    },
  }).visit(parsed(path, text))
  return found
}

/** Path to which a relative import leads. */
function targetOf(path: string, name: string): string {
  return posix.join(posix.dirname(path), name)
}

/** Floor of a file; undefined outside of the floors. */
function floorOf(path: string): string | undefined {
  return /^src-main\/([^/]+)\//.exec(path)?.[1]
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || isSupport(path)
}

/** Code that only tests need is in folders named `testing`. */
function isSupport(path: string): boolean {
  return path.includes('/testing/')
}

/** Files of `src-main` outside of the floors check the floors and are no part of the product. */
function isTool(path: string): boolean {
  return floorOf(path) === undefined
}
