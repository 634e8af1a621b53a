/** Times of schedules in the time zone of the user, who plans in local time. Everything that has happened is shown in UTC, as in the
 *  records of the archive. */
import { useMemo } from 'react'
import { useLocale } from '../../words/words.tsx'

export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** `Mon, 23 Nov 2026, 02:00 GMT+1`; without the zone where it is named elsewhere. */
export function useLocalTime({ withZone }: { withZone: boolean }): (time: string) => string {
  const locale = useLocale()
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
      weekday: 'short',
      year: 'numeric',
      month: 'short',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      ...(withZone ? { timeZoneName: 'short' } : {}),
    })
    return (time) => format.format(new Date(time))
  }, [locale, withZone])
}
