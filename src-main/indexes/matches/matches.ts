/** Matches of a search as captures, with what their pages need to be displayed. */
import type { UrlMatch } from '../../contract/services/search.ts'
import type { IndexedCapture } from '../model/indexedCapture.ts'
import type { MatchedCapture } from '../model/matchedCapture.ts'
import type { CaptureRule } from '../../formats/cdx/captureRules.ts'

/** What is searched for. */
export interface MatchesAsked {
  mode: 'text' | 'urls'
  query: string
  /** For URLs. */
  match: UrlMatch
  /** Only captures of these jobs match; what their pages need may be of any. Absent: all. */
  jobs?: readonly number[] | undefined
  /** The captures that the caller may see. */
  shownBy?: readonly CaptureRule[] | undefined
  signal: AbortSignal
}

/** What the thread works on. */
export interface MatchesInput {
  /** Path of a complete database of the captures of the whole archive. */
  database: string
  /** Path of a copy of each file, by its name. */
  copies: ReadonlyMap<string, string>
  /** Captures that were found in the text index, or a search among URLs. */
  wanted: { captures: readonly MatchedCapture[] } | Pick<MatchesAsked, 'query' | 'match' | 'jobs'>
  shownBy: readonly CaptureRule[]
}

/** The captures, as places of records. */
export interface Matches {
  /** Offsets by the name of the file: of the matches, of what their pages need, and of the originals of revisits among both. */
  places: Map<string, Set<number>>
  /** Captures without records of their own, in the order of their originals, whose places are among the others. */
  duplicates: IndexedCapture[]
  /** URLs of the first matches. */
  urls: string[]
  /** Captures that match and are in the archive. */
  matched: number
  /** Further captures that their pages need. */
  needed: number
  /** URLs that the pages refer to and that the archive does not have. */
  absent: number
  /** Matches whose file the archive does not have, or no replica provides. */
  unavailable: number
  /** There are more than `matchedPlacesMax` places: the pages of the last matches lack something. */
  isCut: boolean
}

/** Too many captures match: none is written. */
export interface TooManyMatches {
  countMax: number
}
