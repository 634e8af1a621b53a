/** Which file names a person means with a regular expression: it may match anywhere in the name. */
import { ArchiveFault } from './archiveFault.ts'

export function matcher(pattern: string | null): (name: string) => boolean {
  if (pattern === null) return () => true
  const expression = patternOf(pattern)
  return (name) => expression.test(name)
}

function patternOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch (cause) {
    throw new ArchiveFault('refused', `${pattern} is not a regular expression`, { cause })
  }
}
