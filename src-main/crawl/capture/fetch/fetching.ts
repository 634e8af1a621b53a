/** The settings and resources that all requests of a job share. */
import type { World } from '../../../world/world.ts'
import type { CapturePlace } from '../../model/document.ts'
import type { CrawlSettings } from '../../model/limits.ts'
import type { LinkWork } from './bodyLinks.ts'
import type { Connections } from './connections.ts'
import type { EarlierCapture } from './earlierCapture.ts'
import type { Spool } from './spool.ts'
import type { Watch } from './watch.ts'

/** Settings and resources shared by the requests of a job. */
export interface Fetching {
  world: World
  connections: Connections
  watch: Watch
  settings: CrawlSettings
  newSpool: () => Spool
  /** Extracts links from bodies. */
  bodies: LinkWork
  /** Reads an earlier capture; undefined if no copy yields it. */
  earlierCapture(place: CapturePlace): Promise<EarlierCapture | undefined>
  /** Host name → IP address or address:port, used before the resolver. */
  resolve: Readonly<Record<string, string>>
  /** Host names that a user entered, as seeds or with their addresses: these may be on this machine or in a private network. Any
   *  other name must resolve to a public address, since a page can contain any URL. */
  ownHosts: ReadonlySet<string>
  userAgent: string
  signal: AbortSignal
  /** Resolves when more of this document may be read; at once if there is no bandwidth limit for its host. */
  pace?: (url: string, bytes: number) => Promise<void> | undefined
}
