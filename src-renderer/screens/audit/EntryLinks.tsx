/** Actor and subject of an entry, as links. */
import { Text } from '@mantine/core'
import type { AuditEntry } from '../../../src-main/contract/services/audit.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { actorWords, originWords, subjectOf } from './entryWords.ts'

/** The actor, with the account and the shell below, where the entry has them. */
export function Actor({ entry }: { entry: AuditEntry }) {
  const t = useWords()
  const { short, whole } = originWords({ t }, entry)
  return (
    <>
      <ActorLink entry={entry} />
      {short !== '' && (
        <Text size="xs" c="dimmed" title={whole}>
          {short}
        </Text>
      )}
    </>
  )
}

export function ActorLink({ entry }: { entry: AuditEntry }) {
  const t = useWords()
  const { text, job } = actorWords({ t }, entry.who)
  return job === null ? <span title={text}>{text}</span> : <a href={hrefOf({ place: 'job', job })}>{text}</a>
}

export function SubjectLink({ entry }: { entry: AuditEntry }) {
  const t = useWords()
  const { archive } = useSession()
  const subject = subjectOf({ t }, entry)
  const { text } = subject
  if (subject.is === 'text') return <span title={text}>{text}</span>
  if (subject.is === 'file')
    return (
      <a href={hrefOf({ place: 'file', file: text })} title={text}>
        {text}
      </a>
    )
  return (
    <a
      href={hrefOf({ place: 'archive', tab: 'replicas' })}
      onClick={() => void archive.getState().choose(subject.check)}
      title={text}
    >
      {text}
    </a>
  )
}
