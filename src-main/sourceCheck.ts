/** Checks two rules of this project in the syntax tree, because the linter has no such rules: a pattern that a user typed is never
 *  made into a RegExp, which may take exponential time, and two readings of the wall clock are never subtracted. That only `world`
 *  reads the time and random numbers is a rule of the linter (`.oxlintrc.json`). Runs in `sourceCheck.test.ts`, over all product
 *  files. */
import { parseSync, Visitor, type Expression, type Program } from 'oxc-parser'

/** Returns the violations in one file, each a sentence that begins with path and line. */
export function sourceProblems(path: string, text: string): string[] {
  if (/\.test\.tsx?$/.test(path)) return []
  const problems: string[] = []
  const reportAt = (offset: number, sentence: string) =>
    void problems.push(`${path}:${lineAt(text, offset)} ${sentence}`)
  const program = parsed(path, text)
  if (mayMeetTypedPatterns(path)) findTypedPatterns(program, reportAt)
  if (mayReadTheClock(path)) findDifferencesOfTimes(program, reportAt)
  return problems
}

type ReportAt = (offset: number, sentence: string) => void

/** The simulation compares the engine's matching with RegExp, on patterns that it generates itself. */
function mayMeetTypedPatterns(path: string): boolean {
  return /^src-(main|renderer)\//.test(path) && !path.startsWith('src-main/simulation/')
}

/** `world` implements the clock, and shells measure their own start. */
function mayReadTheClock(path: string): boolean {
  return /^src-main\/(?!world\/|shells\/)/.test(path)
}

function findTypedPatterns(program: Program, reportAt: ReportAt): void {
  const look = (node: { start: number; callee: Expression; arguments: { type: string }[] }) => {
    const [pattern] = node.arguments
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp' || pattern === undefined) return
    // A template is written in the source, with parts that are too.
    if (['Literal', 'TemplateLiteral', 'TaggedTemplateExpression'].includes(pattern.type)) return
    reportAt(node.start, 'makes a RegExp of a value, and it may never end: match it with src-main/patterns.')
  }
  new Visitor({ NewExpression: look, CallExpression: look }).visit(program)
}

/** The wall clock may be set at any time, in either direction: its readings are compared with others, not subtracted. */
function findDifferencesOfTimes(program: Program, reportAt: ReportAt): void {
  const look = ({ start, operator }: { start: number; operator: string }, ...sides: Expression[]) => {
    if (!operator.startsWith('-') || !sides.some(isReadingOfClock)) return
    reportAt(start, 'subtracts times of the wall clock: measure with world/stopwatch.ts or clock.elapsed().')
  }
  new Visitor({
    BinaryExpression: (node) => {
      look(node, node.left, node.right)
    },
    AssignmentExpression: (node) => {
      look(node, node.right)
    },
  }).visit(program)
}

function isReadingOfClock(node: Expression): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false
  const { property } = node.callee
  return property.type === 'Identifier' && property.name === 'now'
}

/** The last tree of each file, with the text that it belongs to. */
const trees = new Map<string, { text: string; program: Program }>()

/** Parses a file once: several rules look at each tree. Throws where the text is not TypeScript. */
export function parsed(path: string, text: string): Program {
  const known = trees.get(path)
  if (known?.text === text) return known.program
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new SyntaxError(`${path}: ${errors[0].message}`)
  trees.set(path, { text, program })
  return program
}

/** Number of the line at an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
