/** The state of the connection between the interface and the engine. */
import type { Link } from '../../src-main/contract/calls/service.ts'

/** `refused`: the engine answers but does not accept our token, so trying again cannot help. */
export type Connection = 'connecting' | 'open' | 'lost' | 'refused'

export interface WatchedLink extends Link {
  connection(): Connection
  onConnection(listener: (connection: Connection) => void): () => void
}
