/** A link that can break: the transport of the contract, and how it stands. */
import type { Link } from '../../src-main/contract/calls/service.ts'

/** `refused`: the engine answers but does not know our token; trying again cannot help. */
export type Connection = 'connecting' | 'open' | 'lost' | 'refused'

export interface WatchedLink extends Link {
  connection(): Connection
  onConnection(listener: (connection: Connection) => void): () => void
}
