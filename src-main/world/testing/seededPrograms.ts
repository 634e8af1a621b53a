/** Programs of the seeded world: functions under the names of programs. Their state survives a power cut, like data that
 *  another program has stored. */
import { ProgramFault, type Program, type ProgramEnd, type Programs } from '../world.ts'

/** A program as a function; `hangs` makes the caller's time limit expire. */
export type OfferedProgram = (program: Pick<Program, 'words' | 'input'>) => ProgramEnd | 'hangs'

/** Controls of the programs for tests. */
export interface ProgramControls {
  /** From now on there is a program of this name; undefined removes it. */
  offer(name: string, program: OfferedProgram | undefined): void
}

export function seededPrograms(): Programs & ProgramControls {
  const offered = new Map<string, OfferedProgram>()
  return {
    system: 'linux',
    offer(name, program) {
      if (program) offered.set(name, program)
      else offered.delete(name)
    },
    run({ name, words, input }) {
      const program = offered.get(name)
      if (!program) return Promise.reject(new ProgramFault('absent', name))
      const end = program({ words, input })
      if (end !== 'hangs') return Promise.resolve(end)
      return Promise.reject(new ProgramFault('timeout', name))
    },
  }
}
