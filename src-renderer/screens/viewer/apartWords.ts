/** Time difference of two captures as text: "3 days older"; empty when it is the same second. */
import type { Formats } from '../../parts/formats.ts'
import type { Translate } from '../../words/words.tsx'

export function apartWords(
  t: Translate,
  { distance }: Pick<Formats, 'distance'>,
  time: string,
  reference: string,
): string {
  const apart = distance(time, reference)
  if (apart === '') return ''
  return t(apart.startsWith('+') ? 'resources.newer' : 'resources.older', { span: apart.slice(1) })
}
