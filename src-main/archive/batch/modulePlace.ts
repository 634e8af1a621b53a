/** Finds and loads batch modules: those that Loupe has, and modules of the user. */
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Fault } from '../../contract/calls/faults.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Disk } from '../../world/world.ts'
import { pathOfModule } from '../../modules/userModule.ts'
import { checkedModule, type BatchModule } from './batchModule.ts'
import { nameCountMax } from './limits.ts'

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
  if (!module.endsWith('.mjs'))
    throw new Fault('badInput', message('batch.module.unknown', { module, known: Object.keys(builtIns).join(', ') }), {
      fields: [['module']],
    })
  const path = await pathOfModule(disk, module, { archiveFolders, field: ['module'] })
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
