/**
 * Parts of Loupe that settings choose: by the name of one that Loupe has, or by the path of a module of the user. Such a module exports a
 * function as its default, which gets settings of its own and returns the part.
 */
import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Fault } from '../../contract/calls/faults.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { message, type Message } from '../../contract/words/message.ts'

/** A kind of part that can be chosen. */
export interface PluginKind<Part> {
  /** The setting that chooses it. */
  setting: string
  /** Those that Loupe has, by name. */
  builtIn: Readonly<Record<string, () => Part>>
  /** Names of the functions that a part has: a module whose part lacks one is refused. */
  functions: readonly (keyof Part & string)[]
}

interface Chosen {
  /** Name or path. */
  name: string
  settings: Readonly<Record<string, string>>
  /** Relative paths are below it. */
  archiveFolder: string
}

/** Returns the chosen part. Throws `Fault` badInput for a name that is neither known nor that of a module, or a module that does not fit. */
export async function choosePlugin<Part>(
  { setting, builtIn, functions }: PluginKind<Part>,
  { name, settings, archiveFolder }: Chosen,
): Promise<Part> {
  const known = builtIn[name]
  if (known) return known()
  const refuse = (problem: Message): never => {
    throw new Fault('badInput', message('plugin.refused', { setting, name, problem }))
  }
  if (!/\.(mjs|js)$/.test(name)) {
    const names = Object.keys(builtIn).join(', ')
    throw new Fault('badInput', message('plugin.unknown', { setting, name, names }))
  }
  const path = isAbsolute(name) ? name : resolve(archiveFolder, name)
  try {
    const { default: open } = (await import(pathToFileURL(path).href)) as { default?: unknown }
    if (typeof open !== 'function') return refuse(message('plugin.noDefault'))
    const part: unknown = await (open as (given: object) => unknown)(settings)
    const missing = functions.find((each) => typeof (part as Record<string, unknown> | null)?.[each] !== 'function')
    return missing === undefined ? (part as Part) : refuse(message('plugin.lacks', { name: missing }))
  } catch (error) {
    if (error instanceof Fault) throw error
    // Whatever the module of the user throws.
    return refuse(message('text', { text: messageOf(error) }))
  }
}
