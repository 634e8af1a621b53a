/** Words for findings about copies, shared by texts (the command line, the printed report). */
import type { PreservationFinding } from './checks.ts'

export const findingWords: Record<PreservationFinding['finding'], string> = {
  missing: 'missing',
  wrongLength: 'wrong length',
  wrongChecksum: 'wrong checksum',
  unreadable: 'cannot be read',
  surplus: 'not in the catalogue',
  notStored: 'never stored',
}
