/** Reads the text of documents of all forms. A PDF is read in a thread of its own with a limit for time and memory; one that exceeds it is a
 *  finding. */
import { oneAtATime } from '../../../contract/calls/oneAtATime.ts'
import { withoutText, type ExtractedText, type TextForm, type TextSource } from '../../../formats/text/extracted.ts'
import { extractText } from '../../../formats/text/extractText.ts'
import { finding } from '../../../formats/rules/finding.ts'
import { sleepUnlessAborted } from '../../../world/sleepUnlessAborted.ts'
import type { OwnThread, World } from '../../../world/world.ts'

/** Time for one PDF: pdf.js reads some hundred pages per second. */
const pdfMsMax = 30_000
const pdfHeapBytesMax = 512 * 1024 * 1024
/** Time that its thread has to end by itself. */
const pdfStopMsMax = 100

/** Reads documents. */
export interface DocumentReader {
  /** Rejects with bugs only. */
  read(source: TextSource, form: Exclude<TextForm, 'none'>): Promise<ExtractedText>
  /** Ends its thread. */
  close(): void
}

interface Limits {
  pdfMsMax?: number
}

/** Makes a reader. It starts its thread with the first PDF. */
export function documentReader(
  { threads, clock }: Pick<World, 'threads' | 'clock'>,
  { pdfMsMax: msMax = pdfMsMax }: Limits = {},
): DocumentReader {
  const inTurn = oneAtATime()
  let thread: OwnThread | undefined

  async function readPdf(body: Uint8Array): Promise<ExtractedText> {
    if (!thread || thread.ended) thread = threads.own({ heapBytesMax: pdfHeapBytesMax, stopMsMax: pdfStopMsMax })
    const running = thread
    const slow = new AbortController()
    const done = new AbortController()
    void sleepUnlessAborted(clock, msMax, done.signal).then(() => {
      if (!done.signal.aborted) slow.abort(new Error('reading a PDF took too long'))
    })
    try {
      const module = new URL('./pdf.thread.ts', import.meta.url)
      return await running.run<Uint8Array, ExtractedText>(module, body, { signal: slow.signal })
    } catch (error) {
      // Its memory was not enough, or its time was over: the next PDF gets a new thread.
      if (!slow.signal.aborted && !running.ended) throw error
      running.close()
      return withoutText([finding('pdfTooSlow')])
    } finally {
      done.abort()
    }
  }

  return {
    read: (source, form) =>
      form === 'pdf' ? inTurn(() => readPdf(source.body)) : Promise.resolve(extractText(source, form)),
    close: () => thread?.close(),
  }
}
