/** Modules of the user: code that the user chose and that runs with the user's rights, like any program the user starts. It is not
 *  sandboxed. Modules inside an archive are refused: such files came from the Web. */
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Fault, userMessageOf, type FieldPath } from '../contract/calls/faults.ts'
import { messageOf } from '../contract/text/messageOf.ts'
import { message, type Message } from '../contract/words/message.ts'
import { isInside } from '../world/isInside.ts'
import { DiskFault, type Disk } from '../world/world.ts'

/** Whether a name is that of a module file. */
export function isModuleName(name: string): boolean {
  return /\.m?js$/.test(name)
}

/** Returns the path of a module, without links. Throws `Fault`: badInput for a relative path or another kind of file, notFound, or refused
 *  for a module in one of `archiveFolders` (the folders of the archive and of its replicas). `field`: what the fault is about. */
export async function pathOfModule(
  disk: Pick<Disk, 'stat' | 'realPath'>,
  module: string,
  { archiveFolders, field }: { archiveFolders: readonly string[]; field: FieldPath },
): Promise<string> {
  const about = { fields: [field] }
  if (!isModuleName(module)) throw new Fault('badInput', message('module.notOne', { module }), about)
  if (!isAbsolute(module)) throw new Fault('badInput', message('path.relative', { path: module }), about)
  try {
    if ((await disk.stat(module))?.kind !== 'file')
      throw new Fault('notFound', message('module.absent', { module }), about)
    const path = await disk.realPath(module)
    for (const folder of archiveFolders) {
      if ((await disk.stat(folder)) && isInside(await disk.realPath(folder), path))
        throw new Fault('refused', message('module.inArchive', { module, folder }), about)
    }
    return path
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
    throw new Fault('refused', message('module.unreadable', { module, path: error.path }), { ...about, cause: error })
  }
}

/** A module, its settings, and the folders in which it must not be. */
export interface ChosenModule {
  path: string
  settings: Readonly<Record<string, string>>
  /** Folders of the archive and of its replicas, from which no code is run. */
  archiveFolders: readonly string[]
}

/** Finds, loads and opens a module. Returns what it returned, or what is wrong. `functions`: those that it must have. */
export async function loadModule<Part>(
  disk: Pick<Disk, 'stat' | 'realPath'>,
  { path: given, settings, archiveFolders }: ChosenModule,
  functions: readonly (keyof Part & string)[],
): Promise<OpenedModule<Part>> {
  try {
    const path = await pathOfModule(disk, given, { archiveFolders, field: [] })
    return await openModule<Part>(disk, path, { settings, functions })
  } catch (error) {
    if (error instanceof Fault) return { problem: userMessageOf(error) }
    throw error
  }
}

/** What a module returned, or what is wrong, as a part of a sentence. */
export type OpenedModule<Part> = { part: Part } | { problem: Message }

/** Loads a module. Returns what it exports, or what is wrong. A module that has changed since it was loaded is loaded again. */
export async function importModule(
  disk: Pick<Disk, 'stat'>,
  path: string,
): Promise<{ exported: Readonly<Record<string, unknown>> } | { problem: Message }> {
  try {
    const url = pathToFileURL(path)
    url.searchParams.set('modified', String((await disk.stat(path))?.modifiedAtMs ?? 0))
    return { exported: (await import(/* @vite-ignore */ url.href)) as Readonly<Record<string, unknown>> }
  } catch (error) {
    // Whatever the module throws.
    return { problem: message('text', { text: messageOf(error) }) }
  }
}

/** Loads a module and calls its default export with its settings. Returns what that returns, or what is wrong. A module that has changed
 *  since it was loaded is loaded again. `functions`: those that it must have. */
export async function openModule<Part>(
  disk: Pick<Disk, 'stat'>,
  path: string,
  { settings, functions }: { settings: Readonly<Record<string, string>>; functions: readonly (keyof Part & string)[] },
): Promise<OpenedModule<Part>> {
  const loaded = await importModule(disk, path)
  if ('problem' in loaded) return loaded
  try {
    const { default: open } = loaded.exported
    if (typeof open !== 'function') return { problem: message('plugin.noDefault') }
    const part: unknown = await (open as (given: object) => unknown)(settings)
    const missing = functions.find((each) => typeof (part as Record<string, unknown> | null)?.[each] !== 'function')
    return missing === undefined ? { part: part as Part } : { problem: message('plugin.lacks', { name: missing }) }
  } catch (error) {
    // Whatever the module throws.
    return { problem: message('text', { text: messageOf(error) }) }
  }
}
