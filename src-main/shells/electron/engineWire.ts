/**
 * Messages between Electron's main process and the engine's process. Both ends belong to the same build, so the shapes are types only;
 * input from the interface is checked by the contract in the engine (`replyTo`).
 */
import type { Reply } from '../../contract/calls/service.ts'

/** Messages to the engine. `id` pairs a reply with its call. */
export type ToEngine = { kind: 'call'; id: number; name: string; input: unknown } | { kind: 'close' }

/** Messages of the engine. The first is `ready` or `failed`, the last `closed`. */
export type FromEngine =
  | { kind: 'ready'; viewer: { host: string; port: number }; spkiSha256: string }
  /** The engine could not open its archive: one sentence for the user. */
  | { kind: 'failed'; text: string }
  | { kind: 'reply'; id: number; reply: Reply }
  | { kind: 'event'; name: string; payload: unknown }
  | { kind: 'closed' }

/** Argument of the engine's process. */
export interface EngineStart {
  archiveFolder: string
  version: string
  /** Origins of the interface, which may query the viewer about itself. */
  allowedOrigins: string[]
}
