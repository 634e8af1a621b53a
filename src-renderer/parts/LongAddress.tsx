/** An address in a column that may be too narrow for it, shortened in the middle, since addresses of one host or folder begin alike. */
import styles from './parts.module.css'

/** Characters kept at the end, which usually is a name. */
const endCharacters = 24

export function LongAddress({ address }: { address: string }) {
  const cut = Math.max(0, address.length - endCharacters)
  return (
    <span className={styles.longAddress} title={address}>
      <span>{address.slice(0, cut)}</span>
      <span>{address.slice(cut)}</span>
    </span>
  )
}
