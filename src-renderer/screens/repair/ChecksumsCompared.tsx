/** Checksums below each other in groups of eight characters for comparison by eye. Checksums of different bytes differ almost everywhere;
 *  for a typing error the differing characters can be marked, not by colour alone. */
import { CopyAction } from '../../parts/CopyAction.tsx'
import styles from './repair.module.css'

interface Line {
  name: string
  /** Absent when `text` is shown instead. */
  sha256?: string | undefined
  text?: string
}

const groupLength = 8

/** `marked`: marks the characters that differ from the first checksum. */
export function ChecksumsCompared({ lines, marked = false }: { lines: readonly Line[]; marked?: boolean }) {
  const first = marked ? lines[0]?.sha256 : undefined
  return (
    <dl className={styles.checksums}>
      {lines.map(({ name, sha256, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {sha256 === undefined ? (
              text
            ) : (
              <>
                {/* Groups are for the eye only: screen readers get the whole checksum. */}
                <span className="visually-hidden">{sha256}</span>
                <Groups sha256={sha256} first={first ?? sha256} />
                <CopyAction text={sha256} what={name} />
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Groups({ sha256, first }: { sha256: string; first: string }) {
  const groups = sha256.match(new RegExp(`.{1,${groupLength}}`, 'g')) ?? []
  return (
    <span className={`mono ${styles.checksum}`} aria-hidden>
      {groups.map((group, index) => (
        <span key={index}>
          {[...group].map((letter, at) =>
            letter === first[index * groupLength + at] ? letter : <mark key={at}>{letter}</mark>,
          )}
        </span>
      ))}
    </span>
  )
}
