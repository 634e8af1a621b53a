/** What the links of the chain are made with. */
import type { Archive } from '../../archive/store/archive.ts'
import type { Selection } from '../../contract/shapes/selection.ts'
import type { World } from '../../world/world.ts'
import type { AccessRule } from '../model/accessRules.ts'
import type { Answers } from '../viewings/answers.ts'
import type { Findings } from '../viewings/findings.ts'
import type { OpenFiles } from '../records/openFiles.ts'
import type { OtherCaptures } from '../viewings/question.ts'
import type { Views } from '../viewings/views.ts'

export interface ChainParts {
  world: Pick<World, 'clock'>
  archive: Archive
  files: OpenFiles
  findings: Findings
  answers: Answers
  views: Views
  certificatePem: string
  /** Origins whose pages may read `/getStatus`: the interface's own, and no archived page. Read at each request. */
  allowedOrigins: readonly string[]
  /** By SURT prefix; asked at each request, so that a change counts for the next. */
  accessRules: () => readonly AccessRule[]
  /** Captures of an address outside of what is viewed, a few, the newest first. */
  otherCaptures: (url: string, viewed: Selection) => OtherCaptures | Promise<OtherCaptures>
  /** What goes wrong while nobody waits for it. */
  onProblem: (error: unknown, doing: string) => void
}
