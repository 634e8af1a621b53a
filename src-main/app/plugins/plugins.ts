/**
 * Parts of Loupe that settings choose: by the name of one that Loupe has, or by the path of a module of the user. Such a module exports a
 * function as its default, which gets settings of its own and returns the part.
 */
import { resolve } from 'node:path'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import type { Disk } from '../../world/world.ts'
import { isModuleName, openModule } from '../../modules/userModule.ts'

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
  disk: Pick<Disk, 'stat'>
}

/** Returns the chosen part. Throws `Fault` badInput for a name that is neither known nor that of a module, or a module that does not fit. */
export async function choosePlugin<Part>(
  { setting, builtIn, functions }: PluginKind<Part>,
  { name, settings, archiveFolder, disk }: Chosen,
): Promise<Part> {
  const known = builtIn[name]
  if (known) return known()
  if (!isModuleName(name)) {
    const names = Object.keys(builtIn).join(', ')
    throw new Fault('badInput', message('plugin.unknown', { setting, name, names }))
  }
  const opened = await openModule<Part>(disk, resolve(archiveFolder, name), { settings, functions })
  if ('part' in opened) return opened.part
  throw new Fault('badInput', message('plugin.refused', { setting, name, problem: opened.problem }))
}
