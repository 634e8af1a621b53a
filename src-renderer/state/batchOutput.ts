/** Output and errors of a batch run, as far as they were requested. They may be of any length, so they are loaded in pieces, of which
 *  only a limited number is kept. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loupe } from '../../src-main/contract/contract.ts'
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom } from './loaded.ts'

export type OutputKind = 'output' | 'errors'

/** A few screens of text; one click loads the next piece. */
const pieceBytes = 65_536
/** Limit of the text shown at once. More lines than anyone reads would make the browser slow. */
export const shownBytesMax = 1_048_576
/** Limit of what is saved from the browser's memory. Longer output is read from the archive's folder with other programs. */
export const savedBytesMax = 67_108_864

export interface OutputState {
  text: string
  /** Bytes shown so far, and the bytes available. */
  shownBytes: number
  bytesTotal: number | undefined
  asking: boolean
  fault: Fault | null
  later(): Promise<void>
  /** Loads from the beginning, because a running job has written more. */
  begin(): Promise<void>
}

interface Wanted {
  task: number
  of: OutputKind
}

export function makeOutput(
  { batch }: { batch: Pick<Loupe['batch'], 'output'> },
  wanted: Wanted,
): StoreApi<OutputState> {
  let generation = 0
  return createStore<OutputState>()((set, get) => {
    async function ask(offset: number, before: string): Promise<void> {
      const askedIn = ++generation
      set({ asking: true, fault: null })
      try {
        const { text, next, bytesTotal } = await batch.output({ ...wanted, offset, limit: pieceBytes })
        if (askedIn === generation) set({ text: before + text, shownBytes: next, bytesTotal, asking: false })
      } catch (error) {
        if (askedIn === generation) set({ fault: faultFrom(error), asking: false })
      }
    }

    return {
      text: '',
      shownBytes: 0,
      bytesTotal: undefined,
      asking: false,
      fault: null,
      begin: () => ask(0, ''),
      later: () => ask(get().shownBytes, get().text),
    }
  })
}

const pieceSavedBytes = 1_048_576

/** Loads the complete output. Throws `Fault` refused with the text `tooLong` when it is longer than `savedBytesMax`. */
export async function wholeOutput(
  { batch }: { batch: Pick<Loupe['batch'], 'output'> },
  wanted: Wanted,
  tooLong: string,
): Promise<string> {
  const pieces: string[] = []
  for (let offset = 0; ;) {
    const { text, next, bytesTotal } = await batch.output({ ...wanted, offset, limit: pieceSavedBytes })
    if (bytesTotal > savedBytesMax) throw new Fault('refused', tooLong)
    pieces.push(text)
    if (next >= bytesTotal || next === offset) return pieces.join('')
    offset = next
  }
}
