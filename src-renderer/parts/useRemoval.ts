/** Removes things one after the other after a question, and reports what the engine refused. */
import { faultFrom } from '../state/loaded.ts'
import { faultText } from '../words/language.ts'
import { useWords } from '../words/words.tsx'
import { showNotice } from './notice.ts'
import { useConfirm } from './confirm.tsx'

interface Removal {
  title: string
  text: string
  /** Names of what is removed, and how. Each rejects with the engine's `Fault`. */
  each: readonly { name: string; remove: () => Promise<unknown> }[]
}

/** Resolves with the number of removed things; 0 also when the user keeps them. Whatever is refused stays, and the others are removed. */
export function useRemoval(): (removal: Removal) => Promise<number> {
  const t = useWords()
  const confirm = useConfirm()
  return async ({ title, text, each }) => {
    if (!(await confirm({ title, text, verb: t('remove.verb') }))) return 0
    const refused: string[] = []
    for (const { name, remove } of each) {
      try {
        await remove()
      } catch (error) {
        refused.push(`${name}: ${faultText(faultFrom(error))}`)
      }
    }
    const removed = each.length - refused.length
    if (removed > 0) showNotice({ message: t('remove.done', { removed }) })
    if (refused.length > 0)
      showNotice({
        ...{ isError: true, title: t('remove.refused', { count: refused.length }) },
        message: refused.slice(0, refusedShownMax).join(' '),
      })
    return removed
  }
}

/** Refusals in one notification. */
const refusedShownMax = 5
