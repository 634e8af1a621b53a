/** How far one capture lies from another, as people say it: "3 days older"; empty when it is the same second. */
import type { Formats } from '../../parts/formats.ts'
import type { Say } from '../../words/words.tsx'

export function apartWords(say: Say, { distance }: Pick<Formats, 'distance'>, time: string, reference: string): string {
  const apart = distance(time, reference)
  if (apart === '') return ''
  return say(apart.startsWith('+') ? 'resources.newer' : 'resources.older', { span: apart.slice(1) })
}
