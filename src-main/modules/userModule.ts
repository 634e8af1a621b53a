/** Modules of the user: code that the user chose and that runs with the user's rights, like any program the user starts. It is not
 *  sandboxed. Modules inside an archive are refused: such files came from the Web. */
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Fault, type FieldPath } from '../contract/calls/faults.ts'
import { messageOf } from '../contract/text/messageOf.ts'
import { message, type Message } from '../contract/words/message.ts'
import { isInside } from '../world/isInside.ts'
import type { Disk } from '../world/world.ts'

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
  if ((await disk.stat(module))?.kind !== 'file')
    throw new Fault('notFound', message('module.absent', { module }), about)
  const path = await disk.realPath(module)
  for (const folder of archiveFolders) {
    if ((await disk.stat(folder)) && isInside(await disk.realPath(folder), path))
      throw new Fault('refused', message('module.inArchive', { module, folder }), about)
  }
  return path
}

/** What a module returned, or what is wrong, as a part of a sentence. */
export type OpenedModule<Part> = { part: Part } | { problem: Message }

/** Loads a module and calls its default export with its settings. Returns what that returns, or what is wrong. A module that has changed
 *  since it was loaded is loaded again.
 *  `functions`: those that it must have. */
export async function openModule<Part>(
  disk: Pick<Disk, 'stat'>,
  path: string,
  { settings, functions }: { settings: Readonly<Record<string, string>>; functions: readonly (keyof Part & string)[] },
): Promise<OpenedModule<Part>> {
  try {
    const url = pathToFileURL(path)
    url.searchParams.set('modified', String((await disk.stat(path))?.modifiedAtMs ?? 0))
    const { default: open } = (await import(/* @vite-ignore */ url.href)) as { default?: unknown }
    if (typeof open !== 'function') return { problem: message('plugin.noDefault') }
    const part: unknown = await (open as (given: object) => unknown)(settings)
    const missing = functions.find((each) => typeof (part as Record<string, unknown> | null)?.[each] !== 'function')
    return missing === undefined ? { part: part as Part } : { problem: message('plugin.lacks', { name: missing }) }
  } catch (error) {
    // Whatever the module throws.
    return { problem: message('text', { text: messageOf(error) }) }
  }
}
