/** The settings and resources that requests share: those of a job, and single ones to the live web. */
import type { World } from '../../../world/world.ts'
import type { CapturePlace } from '../../model/document.ts'
import type { CrawlSettings } from '../../model/limits.ts'
import type { LinkWork } from './bodyLinks.ts'
import type { Connections } from './connections.ts'
import type { EarlierCapture } from './earlierCapture.ts'
import type { Spool } from './spool.ts'
import type { Watch } from './watch.ts'

/** What a request and its answer need. */
export interface Requesting {
  world: World
  connections: Connections
  watch: Watch
  settings: CrawlSettings
  newSpool: () => Spool
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

/** Settings and resources shared by the requests of a job. */
export interface Fetching extends Requesting {
  /** Extracts links from bodies. */
  bodies: LinkWork
  /** Reads an earlier capture; undefined if no copy yields it. */
  earlierCapture(place: CapturePlace): Promise<EarlierCapture | undefined>
}
