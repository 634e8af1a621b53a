/** A year as twelve small months, each a table. Days with captures are buttons, the others plain numbers. */
import { UnstyledButton } from '@mantine/core'
import { useLocale, useWords } from '../../words/words.tsx'
import { weeksOf } from './captureTimes.ts'
import styles from './viewer.module.css'

interface YearCalendarProps {
  year: number
  countOf: (day: string) => number
  /** `2011-05-03`. */
  chosen: string
  onChoose: (day: string) => void
}

const months = Array.from({ length: 12 }, (_, month) => month)
/** Any Monday and the six days after it. */
const weekdays = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)))

export function YearCalendar({ year, ...days }: YearCalendarProps) {
  const t = useWords()
  return (
    <div className={styles.calendar} role="group" aria-label={t('timeline.calendar', { year: String(year) })}>
      {months.map((month) => (
        <Month key={month} year={year} month={month} {...days} />
      ))}
    </div>
  )
}

function Month({ year, month, countOf, chosen, onChoose }: YearCalendarProps & { month: number }) {
  const t = useWords()
  const locale = useLocale()
  const format = (date: Date, how: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...how, timeZone: 'UTC' }).format(date)
  return (
    <table>
      <caption>{format(new Date(Date.UTC(year, month, 1)), { month: 'long' })}</caption>
      <thead>
        <tr>
          {weekdays.map((date) => (
            <th key={date.getUTCDay()} scope="col" abbr={format(date, { weekday: 'long' })}>
              {format(date, { weekday: 'narrow' })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(year, month).map((week, index) => (
          <tr key={index}>
            {week.map((day, place) => (
              <td key={day ?? place}>
                {day !== null && countOf(day) > 0 ? (
                  <UnstyledButton
                    aria-pressed={day === chosen}
                    aria-label={t('timeline.day', {
                      day: format(new Date(day), { dateStyle: 'long' }),
                      count: countOf(day),
                    })}
                    onClick={() => onChoose(day)}
                  >
                    {Number(day.slice(8))}
                  </UnstyledButton>
                ) : (
                  day !== null && Number(day.slice(8))
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
