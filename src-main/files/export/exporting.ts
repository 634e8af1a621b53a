/** The common parameters of all export formats. */
import type { Message } from '../../contract/words/message.ts'
import type { TaskContext } from '../../world/world.ts'
import type { Chosen } from './choosing.ts'
import type { ExportInput, ExportReport } from './export.ts'
import type { Losses } from './losses.ts'
import type { PartFile } from './partFile.ts'
import type { Progress } from './progress.ts'

/** What every export format works with. */
export interface Exporting {
  context: TaskContext<ExportReport>
  input: ExportInput
  chosen: Chosen
  part: PartFile
  progress: Progress
  losses: Losses
}

/** Result of an export. */
export interface Exported {
  records: number
  /** Sentences about what is missing. */
  lacking: Message[]
}
