/** Reads the text of a PDF in a thread that can be ended. */
import type { ExtractedText } from '../../../formats/text/extracted.ts'
import { pdfText } from '../../../formats/text/pdfText.ts'
import type { TaskContext } from '../../../world/world.ts'

export function task(_: TaskContext<never>, body: Uint8Array): Promise<ExtractedText> {
  return pdfText(body)
}
