/** What a connector of the authority service is: it opens a connection with its settings, and the open connection is asked about users. */
import type { z } from 'zod'
import type { Message } from '../../contract/words/message.ts'
import type { World } from '../../world/world.ts'
import type { Answer, MappedUser } from './answer.ts'

/** What connectors need from the engine. */
export interface ConnectorParts {
  world: World
  /** Folders of the archive and of its replicas, from which no code is run. */
  archiveFolders: readonly string[]
  /** Reads a credential by its name, or says why it is not available. */
  secretOf(credential: string): Promise<{ user: string; password: string } | { why: Message }>
}

/** An open connection, which may be asked about several users at once. Faults of the outside world are answers; an error that it throws is
 *  a bug, and counts as an authority that is unreachable. It ends what it does when the signal is aborted. */
export interface OpenConnection<Result> {
  ask(user: string, signal: AbortSignal): Promise<Result>
  /** Returns why the connection cannot be used now; undefined when it can. */
  check(signal: AbortSignal): Promise<Message | undefined>
}

/** A connector that is part of Loupe. */
export interface Connector<Settings, Result> {
  name: string
  description: Message
  /** Shape of its settings, which are texts by name. */
  settings: z.ZodType<Settings>
  open(settings: Settings, parts: ConnectorParts): OpenConnection<Result>
}

export type AuthorityConnector<Settings> = Connector<Settings, Answer>
export type MappingConnector<Settings> = Connector<Settings, MappedUser>
