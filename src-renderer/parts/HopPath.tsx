/** The path by which a URL was discovered, one letter per hop, with a tooltip that spells it out. */
import { isWord, useWords } from '../words/words.tsx'

export function HopPath({ path }: { path: string }) {
  const t = useWords()
  const steps = [...path].map((letter) => {
    const word = `hop.${letter}`
    return isWord(word) ? t(word) : letter
  })
  return <span title={steps.join(', ')}>{path}</span>
}
