/** Says under a list that it may go on: the engine lists only so many, and a list that ends by itself says how many there are. */
import { useWords } from '../../words/words.tsx'
import { listedMax } from './listedMax.ts'

export function ListCut({ of, count }: { of: 'findings' | 'attic'; count: number }) {
  const t = useWords()
  return count < listedMax[of] ? null : <p className="dimmed">{t('list.cut', { count: listedMax[of] })}</p>
}
