/** The regular expression by which a person chooses files, in the engine and in the thread where it is tried. */
import { ArchiveFault } from './archiveFault.ts'

/** Throws `ArchiveFault` when it is none. */
export function expressionOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch (cause) {
    throw new ArchiveFault('refused', `${pattern} is not a regular expression`, { cause })
  }
}
