/** Checks that there is disk space for a file before it is imported: a full disk would stop all other jobs too. */
import type { FaultCode } from '../../contract/calls/faults.ts'
import type { World } from '../../world/world.ts'

/** A file that is not imported. */
export interface Refused {
  kind: 'refused'
  /** The reason, as the end of a sentence. */
  problem: string
  /** The code of the fault if it is not `refused`. */
  code?: FaultCode
}

/** Disk space shared by the files that are being imported. */
export interface SpaceBudget {
  /** Runs `act` with `bytes` reserved; returns its result, or a refusal if there is not enough space. */
  during<T>(bytes: number, act: () => Promise<T>): Promise<T | Refused>
}

/** Creates the budget of a folder. `freeBytesMin` bytes stay free on its disk; reserved bytes count as used. */
export function spaceBudgetIn(
  world: World,
  { folder, freeBytesMin }: { folder: string; freeBytesMin: number },
): SpaceBudget {
  let comingBytes = 0
  return {
    async during(bytes, act) {
      const freeBytes = await world.disk.freeBytes(folder)
      if (freeBytes - comingBytes - bytes < freeBytesMin)
        return { kind: 'refused', code: 'noSpace', problem: problemText(bytes, freeBytes, freeBytesMin) }
      comingBytes += bytes
      try {
        return await act()
      } finally {
        comingBytes -= bytes
      }
    },
  }
}

function problemText(bytes: number, freeBytes: number, freeBytesMin: number): string {
  const [needs, free, kept] = [bytes, freeBytes, freeBytesMin].map((size) => `${Math.ceil(size / 1e6)} MB`)
  return `not enough disk space: it has ${needs}, ${free} are free where the archive lies, and ${kept} are kept free`
}
