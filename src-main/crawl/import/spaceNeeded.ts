/** Whether there is room for a file before it is brought in: a full disk would end every other job as well. */
import type { FaultCode } from '../../contract/calls/faults.ts'
import type { World } from '../../world/world.ts'

export interface Refused {
  kind: 'refused'
  /** Why, as the end of a sentence. */
  problem: string
  /** What `contract/faults` calls it, where it is anything but a refusal. */
  code?: FaultCode
}

export interface SpaceBudget {
  /** What `act` gives, or that there is no room for so many bytes. */
  during<T>(bytes: number, act: () => Promise<T>): Promise<T | Refused>
}

/** `freeBytesMin`: what stays free where the folder lies. What is on its way in counts as taken up already. */
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
