/** What the links of the chain need. */
import type { OnProblem } from '../model/onProblem.ts'
import type { Archive } from '../../archive/store/archive.ts'
import type { Caller } from '../../contract/calls/caller.ts'
import type { Selection } from '../../contract/shapes/selection.ts'
import type { World } from '../../world/world.ts'
import type { AccessRule } from '../model/accessRules.ts'
import type { Answers } from '../viewings/answers.ts'
import type { Findings } from '../viewings/findings.ts'
import type { OpenFiles } from '../records/openFiles.ts'
import type { OtherCaptures } from '../viewings/question.ts'
import type { Views } from '../viewings/views.ts'

/** Actions on a URL that jobs lack. They reject with `Fault` notAllowed where the caller lacks the role. */
export interface MissingActions {
  /** Adds the URL to what is missing from the jobs. */
  add(caller: Caller, jobs: readonly number[], url: string): Promise<void>
  /** Makes a job that harvests the URL, as a patch of one of the jobs. */
  harvest(caller: Caller, jobs: readonly number[], url: string): Promise<{ job: number; patches: number }>
}

/** The services of the viewer, shared by all viewings. */
export interface ChainParts {
  world: Pick<World, 'clock'>
  archive: Archive
  files: OpenFiles
  findings: Findings
  answers: Answers
  views: Views
  certificatePem: string
  /** Origins of the interface, whose pages may read `/getStatus`; no archived page may. Read at each request. */
  allowedOrigins: readonly string[]
  /** Access rules by SURT prefix. Called at each request, so that a change takes effect at once. */
  accessRules: () => readonly AccessRule[]
  /** Whether a capture that the caller may not see is answered as restricted. Otherwise it looks as if it had not been captured. */
  isRefusalSaid: () => boolean
  /** Finds a few captures of a URL outside the view, newest first. */
  otherCaptures: (url: string, viewed: Selection) => OtherCaptures | Promise<OtherCaptures>
  /** Patch jobs whose captures a view of these jobs shows, too. */
  overlaysOver: (jobs: readonly number[]) => number[]
  /** What users can do about a URL that the jobs lack. Both throw `Fault`. */
  missing: MissingActions
  /** Receives errors for which no caller waits. */
  onProblem: OnProblem
}
