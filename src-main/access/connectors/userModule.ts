/** Authorities and mappings by modules of the user. Each question is asked in a thread of its own, which ends with it: a module that hangs or
 *  uses up its memory has no effect on other requests. */
import { z } from 'zod'
import { authorityStatuses } from '../../contract/shapes/choices.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import type { Threads } from '../../world/world.ts'
import { unreachable, userNotFound, type Answer, type MappedUser } from '../model/answer.ts'
import type { ConnectorParts, OpenConnection } from '../model/connector.ts'
import type { ModuleQuestion, ModuleReply } from './authorityModule.thread.ts'

/** Limits of the thread. A module that needs more is one that keeps a directory in memory. */
const threadLimits = { heapBytesMax: 256_000_000, stopMsMax: 1_000 }

const thread = new URL('./authorityModule.thread.ts', import.meta.url)

/** A module of the user with the settings of a connection. */
export interface ConnectorModule {
  path: string
  settings: Readonly<Record<string, string>>
}

/** What `authorize` may return: tokens, an answer, or undefined for an unknown user. */
const authorized = z.union([
  z.array(z.string()),
  z.object({ status: z.enum(authorityStatuses), tokens: z.array(z.string()).default([]) }),
  z.undefined(),
])
/** What `map` may return: a name, or undefined for an unknown user. */
const mapped = z.string().min(1).optional()

/** Opens an authority. */
export function moduleAuthority(parts: ConnectorParts, module: ConnectorModule): OpenConnection<Answer> {
  return {
    async ask(user, signal) {
      const reply = await replyOf(parts, { ...module, function: 'authorize', user }, signal)
      if ('why' in reply) return unreachable(reply.why)
      const { success, data } = authorized.safeParse(reply.value)
      if (!success) return unreachable(message('authority.module.answer', { name: 'authorize' }))
      if (data === undefined) return userNotFound
      return Array.isArray(data) ? { status: 'OK', tokens: data } : data
    },
    check: (signal) => problemOf(parts, { ...module, function: 'authorize' }, signal),
  }
}

/** Opens a mapping. */
export function moduleMapping(parts: ConnectorParts, module: ConnectorModule): OpenConnection<MappedUser> {
  return {
    async ask(user, signal) {
      const reply = await replyOf(parts, { ...module, function: 'map', user }, signal)
      if ('why' in reply) return { problem: reply.why }
      const { success, data } = mapped.safeParse(reply.value)
      return success ? { user: data } : { problem: message('authority.module.answer', { name: 'map' }) }
    },
    check: (signal) => problemOf(parts, { ...module, function: 'map' }, signal),
  }
}

type Question = Omit<ModuleQuestion, 'archiveFolders'>

/** Loads a module without asking it. Returns what is wrong. */
async function problemOf(parts: ConnectorParts, question: Question, signal: AbortSignal): Promise<Message | undefined> {
  const reply = await replyOf(parts, question, signal)
  return 'why' in reply ? reply.why : undefined
}

async function replyOf(
  { world, archiveFolders }: ConnectorParts,
  question: Question,
  signal: AbortSignal,
): Promise<ModuleReply> {
  const own: ReturnType<Threads['own']> = world.threads.own(threadLimits)
  try {
    return await own.run<ModuleQuestion, ModuleReply>(thread, { ...question, archiveFolders }, { signal })
  } catch (error) {
    // The thread ended: its memory was used up, or the module ended it.
    return { why: message('module.unusable', { module: question.path, problem: messageOf(error) }) }
  } finally {
    own.close()
  }
}
