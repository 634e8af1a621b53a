/** Loads a module of the user and calls what it exports for its installation. */
import { messageOf } from '../contract/text/messageOf.ts'
import { message, type Message } from '../contract/words/message.ts'
import type { Task } from '../world/world.ts'
import { importModule } from './userModule.ts'

/** What a module is called with. */
export interface InstallationInput {
  /** Path of the module, without links. */
  path: string
  function: 'install' | 'deinstall'
  /** Whether it must export a version to be installed. */
  isVersioned: boolean
}

/** The version that the module exports, or what is wrong, as a part of a sentence. */
export type InstallationReply = { version: string | null } | { problem: Message }

export const task: Task<InstallationInput, InstallationReply> = async ({ world }, input) => {
  const { path, function: name, isVersioned } = input
  const loaded = await importModule(world.disk, path)
  if ('problem' in loaded) return loaded
  const { default: open, version, [name]: act } = loaded.exported
  const hasVersion = typeof version === 'string' || typeof version === 'number'
  // Deinstalling needs no more than the function.
  if (name === 'install' && isVersioned && !hasVersion) return { problem: message('plugin.noVersion') }
  if (name === 'install' && typeof open !== 'function') return { problem: message('plugin.noDefault') }
  try {
    if (typeof act === 'function') await (act as () => unknown)()
    return { version: hasVersion ? String(version) : null }
  } catch (error) {
    // Whatever the module throws.
    return { problem: message('plugin.failed', { name, problem: messageOf(error) }) }
  }
}
