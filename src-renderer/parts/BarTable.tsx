/** Counts as horizontal bars in a real table. Chart and data are the same elements, so they cannot differ and a screen reader needs no
 *  second version. */
import type { Tone } from '../../src-main/contract/states/stateTable.ts'
import type { ReactNode } from 'react'
import styles from './parts.module.css'

interface Bar {
  name: string
  amount: number
  /** The amount as text, with further text next to it. */
  text: ReactNode
  tone?: Tone
}

interface BarTableProps {
  title: string
  nameHead: string
  amountHead: string
  bars: readonly Bar[]
  empty: string
}

export function BarTable({ title, nameHead, amountHead, bars, empty }: BarTableProps) {
  const most = Math.max(1, ...bars.map(({ amount }) => amount))
  return (
    <div className="card bars">
      <table>
        <caption>{title}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{nameHead}</th>
            <th scope="col">{amountHead}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {bars.map(({ name, amount, text, tone = 'running' }) => (
            <tr key={name}>
              <th scope="row" title={name}>
                <span className={styles.barName}>{name}</span>
              </th>
              <td className={styles.barText}>{text}</td>
              <td className={styles.barSpace} aria-hidden>
                {amount > 0 && (
                  <span className={styles.bar} data-tone={tone} style={{ width: `${(100 * amount) / most}%` }} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {bars.length === 0 && <p className="dimmed">{empty}</p>}
    </div>
  )
}
