/** Describes the failure of a module: the first line has the error and its position in the module, followed by the stack frames of the
 *  module's own code. Frames of Node and Loupe are omitted, since they do not help its author. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Formats an error. `moduleUrl`: undefined for a built-in module, whose frames are all kept. */
export function failureText(error: unknown, moduleUrl: string | undefined): string {
  if (!(error instanceof Error)) return `it threw ${String(error)}`
  const stack = error.stack ?? ''
  const text = [
    `${error.name}: ${error.message}${placeText(error, stack, moduleUrl)}`,
    ...framesOf(stack, moduleUrl),
  ].join('\n')
  return error.cause === undefined ? text : `${text}\ncaused by ${failureText(error.cause, moduleUrl)}`
}

/** First position in the module's folder. For a syntax error Node gives programs no line number, so the text says how to find it. */
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
