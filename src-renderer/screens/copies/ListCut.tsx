/** Says below a list that it may be incomplete, because the engine limits the length of its lists. */
import { useWords } from '../../words/words.tsx'
import { listedMax } from './listedMax.ts'

export function ListCut({ of, count }: { of: 'findings' | 'attic'; count: number }) {
  const t = useWords()
  return count < listedMax[of] ? null : <p className="dimmed">{t('list.cut', { count: listedMax[of] })}</p>
}
