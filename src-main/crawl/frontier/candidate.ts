/** URLs on their way into the frontier. */
import type { Detail } from '../model/detail.ts'
import type { Reason } from '../../contract/states/outcomes.ts'
import type { Role } from '../model/document.ts'

/** A URL that was found, with the verdict of the scope. */
export interface Candidate {
  url: string
  role: Role
  hopPath: string
  hops: number
  via: number | null
  /** Set if the URL is only remembered, not fetched. */
  excluded?: { reason: Reason; detail: Detail }
}

/** A document that was beyond the hop limits and is within them now. */
export interface Reached {
  id: number
  url: string
  /** The document with the link that makes it nearer. */
  via: number | null
  hopPath: string
  hops: number
}
