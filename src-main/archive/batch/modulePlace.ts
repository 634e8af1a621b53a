/** Finds and loads batch modules. A module is code that the user chose and that runs with the user's rights, like any program the user
 *  starts: it is not sandboxed. Modules inside an archive are therefore refused (`moduleAt`): such files came from the Web. */
import { basename, isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Fault } from '../../contract/calls/faults.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Disk } from '../../world/world.ts'
import { checkedModule, type BatchModule } from './batchModule.ts'
import { nameCountMax } from './limits.ts'
import { isInside } from '../files/isInside.ts'

/** Built-in modules, by name. */
export const builtIns = {
  checksums: {
    does: message('batch.builtIn.checksums'),
    load: () => import('./builtIn/checksums.ts'),
  },
  'file-list': {
    does: message('batch.builtIn.file-list'),
    load: () => import('./builtIn/fileList.ts'),
  },
  cdx: {
    does: message('batch.builtIn.cdx'),
    load: () => import('./builtIn/cdx.ts'),
  },
  'record-counts': {
    does: message('batch.builtIn.record-counts'),
    load: () => import('./builtIn/recordCounts.ts'),
  },
} satisfies Record<string, { does: Message; load: () => Promise<BatchModule> }>

export type BuiltInName = keyof typeof builtIns

/** Location of a module. */
export type ModulePlace = { kind: 'builtIn'; name: BuiltInName } | { kind: 'file'; url: string }

function isBuiltIn(name: string): name is BuiltInName {
  return Object.hasOwn(builtIns, name)
}

/** Resolves a module name given by the user. Throws `Fault`: badInput, notFound, refused. `archiveFolders`: the folders of the archive
 *  and of its replicas. */
export async function moduleAt(disk: Disk, module: string, archiveFolders: readonly string[]): Promise<ModulePlace> {
  if (isBuiltIn(module)) return { kind: 'builtIn', name: module }
  const inModule = { fields: [['module']] }
  if (!module.endsWith('.mjs'))
    throw new Fault(
      'badInput',
      message('batch.module.unknown', { module, known: Object.keys(builtIns).join(', ') }),
      inModule,
    )
  if (!isAbsolute(module)) throw new Fault('badInput', message('path.relative', { path: module }), inModule)
  if ((await disk.stat(module))?.kind !== 'file')
    throw new Fault('notFound', message('batch.module.absent', { module }), inModule)
  const path = await disk.realPath(module)
  for (const folder of archiveFolders) {
    if ((await disk.stat(folder)) && isInside(await disk.realPath(folder), path))
      throw new Fault('refused', message('batch.module.inArchive', { module, folder }), inModule)
  }
  return { kind: 'file', url: pathToFileURL(path).href }
}

/** Name of a run and of its files, from the module name. */
export function nameOf(module: string): string {
  const name = basename(module, '.mjs').replaceAll(/[^A-Za-z0-9._-]/g, '_')
  return name.slice(0, nameCountMax).replace(/^\.+/, '') || 'batch'
}

/** Loads a module; called in a thread. Throws with the reason as a sentence when it is invalid. */
export async function loadModule(place: ModulePlace): Promise<BatchModule> {
  if (place.kind === 'builtIn') return builtIns[place.name].load()
  return checkedModule((await import(/* @vite-ignore */ place.url)) as Record<string, unknown>)
}
