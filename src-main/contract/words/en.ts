/** Every message of the engine and the command line, in English. A code begins with the subject of its message; a subject with many
 *  messages has a file of its own in this folder. */
import { faultWords } from './faultWords.ts'

export const en = { ...faultWords } as const
