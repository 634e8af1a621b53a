/** What is told when a module fails: in the first line what happened and where in the module, behind it the frames of the
 *  module's own code. Frames of Node and of Loupe are of no use to its author. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `moduleUrl`: undefined for a module of Loupe itself, whose frames are all kept. */
export function failureText(error: unknown, moduleUrl: string | undefined): string {
  if (!(error instanceof Error)) return `it threw ${String(error)}`
  const stack = error.stack ?? ''
  const text = [
    `${error.name}: ${error.message}${placeText(error, stack, moduleUrl)}`,
    ...framesOf(stack, moduleUrl),
  ].join('\n')
  return error.cause === undefined ? text : `${text}\ncaused by ${failureText(error.cause, moduleUrl)}`
}

/** The first position in the module's folder. Of what is no JavaScript Node tells a program no line, but a person. */
function placeText(error: Error, stack: string, moduleUrl: string | undefined): string {
  if (moduleUrl === undefined) return ''
  const at = stack.indexOf(folderOf(moduleUrl))
  const found = at < 0 ? undefined : /^(file:[^\s()]*?):(\d+)/.exec(stack.slice(at))
  const path = fileURLToPath(found?.[1] ?? moduleUrl)
  if (found) return ` (${path}, line ${found[2]})`
  return error instanceof SyntaxError ? ` (${path}; "node --check" shows the line)` : ` (${path})`
}

function framesOf(stack: string, moduleUrl: string | undefined): string[] {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return moduleUrl === undefined ? frames : frames.filter((line) => line.includes(folderOf(moduleUrl)))
}

function folderOf(url: string): string {
  return `${dirname(url)}/`
}
