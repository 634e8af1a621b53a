/** What Electron's main process and the engine's process say to each other. Both ends are ours and of one build, so the
 *  shapes are types only; what comes from the interface is checked by the contract in the engine (`replyTo`). */
import type { Reply } from '../../contract/calls/service.ts'

export type ToEngine = { kind: 'call'; id: number; name: string; input: unknown } | { kind: 'close' }

export type FromEngine =
  | { kind: 'ready'; viewer: { host: string; port: number }; spkiSha256: string }
  /** The engine could not open its archive: one sentence for the person. */
  | { kind: 'failed'; text: string }
  | { kind: 'reply'; id: number; reply: Reply }
  | { kind: 'event'; name: string; payload: unknown }
  | { kind: 'closed' }

export interface EngineStart {
  archiveFolder: string
  version: string
  /** The interface's origins, from which the viewer may be asked about itself. */
  allowedOrigins: string[]
}
