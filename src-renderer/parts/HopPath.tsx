/** The way by which a document was found, a letter a step, spelled out for who points at it. */
import { isWord, useWords } from '../words/words.tsx'

export function HopPath({ path }: { path: string }) {
  const t = useWords()
  const steps = [...path].map((letter) => {
    const word = `hop.${letter}`
    return isWord(word) ? t(word) : letter
  })
  return <span title={steps.join(', ')}>{path}</span>
}
