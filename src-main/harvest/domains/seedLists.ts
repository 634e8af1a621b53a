/** Seed lists: one URL per line; blank lines and lines that begin with # are none. */
import { message, type Message } from '../../contract/words/message.ts'

/** Returns the seeds in the text of a list. */
export function seedsIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(isSeedLine)
}

/** A line that is no seed. */
export interface SeedProblem {
  /** From 1. */
  line: number
  problem: Message
}

/** Schemes that can be harvested; a seed without one is `http`. */
const seedForm = /^(?:https?:\/\/)?[^\s/:@]+(?::\d+)?(?:[/?#]\S*)?$/i

/** Returns the lines that are neither a URL nor a comment. */
export function seedProblems(text: string): SeedProblem[] {
  return text.split(/\r?\n/).flatMap((written, at) => {
    const line = written.trim()
    if (!isSeedLine(line)) return []
    const url = line.includes('://') ? line : `http://${line}`
    if (seedForm.test(line) && URL.canParse(url)) return []
    return [{ line: at + 1, problem: message('domain.noSeed', { line: at + 1, text: line.slice(0, 200) }) }]
  })
}

function isSeedLine(line: string): boolean {
  return line !== '' && !line.startsWith('#')
}
