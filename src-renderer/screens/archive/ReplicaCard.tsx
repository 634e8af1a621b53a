/** One replica: where it is, what it holds, and how it was the last time somebody looked. */
import { Group, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import type { ReplicaSummary } from '../../../src-main/contract/contract.ts'
import type { Tone } from '../../../src-main/contract/stateTable.ts'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords, type Say } from '../../words/words.tsx'
import { checkAge } from './checkWords.ts'

export function ReplicaCard({ replica, children }: { replica: ReplicaSummary; children: ReactNode }) {
  const say = useWords()
  const formats = useFormats()
  const headingId = useId()
  const age = (last: string | null) => {
    const { text, isOld } = checkAge(say, formats, last, new Date())
    return (
      <span title={last === null ? undefined : `${timeUtc(last)} UTC`}>
        {isOld && last !== null ? (
          <ToneBadge tone="attention" text={say('archive.longAgo', { ago: text })} />
        ) : last === null ? (
          <ToneBadge tone="idle" text={text} />
        ) : (
          text
        )}
      </span>
    )
  }
  return (
    <article className="card replica" aria-labelledby={headingId}>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Title order={2} size="h4" id={headingId}>
          {replica.replica}
        </Title>
        <ToneBadge {...replicaLook(say, replica)} />
      </Group>
      <p className="dimmed mono wrap replica-folder">{replica.folder}</p>
      <Facts
        facts={[
          { name: say('archive.files'), value: formats.count(replica.files) },
          { name: say('archive.bytes'), value: formats.bytes(replica.bytes) },
          {
            name: say('archive.free'),
            value: replica.freeBytes === null ? say('archive.unknown') : formats.bytes(replica.freeBytes),
          },
          { name: say('archive.neverChecked'), value: formats.count(replica.neverChecked) },
          { name: say('archive.missing'), value: counted(formats.count(replica.missing), replica.missing) },
          { name: say('archive.corrupt'), value: counted(formats.count(replica.corrupt), replica.corrupt) },
          { name: say('archive.notStored'), value: counted(formats.count(replica.notStored), replica.notStored) },
          { name: say('archive.lastMissing'), value: age(replica.lastMissingCheck) },
          { name: say('archive.lastChecksums'), value: age(replica.lastChecksumCheck) },
        ]}
      />
      <Group gap="xs" className="replica-checks">
        {children}
      </Group>
    </article>
  )
}

function counted(text: string, count: number): ReactNode {
  return count > 0 ? <ToneBadge tone="failed" text={text} /> : text
}

/** The worst that is known of it. */
function replicaLook(say: Say, replica: ReplicaSummary): { tone: Tone; text: string; meaning: string } {
  if (!replica.reachable)
    return { tone: 'failed', text: say('replica.unreachable'), meaning: say('replica.unreachable.meaning') }
  if (replica.missing + replica.corrupt + replica.notStored > 0) {
    return { tone: 'failed', text: say('replica.damaged'), meaning: say('replica.damaged.meaning') }
  }
  if (replica.neverChecked > 0)
    return { tone: 'attention', text: say('replica.unchecked'), meaning: say('replica.unchecked.meaning') }
  return { tone: 'done', text: say('replica.sound'), meaning: say('replica.sound.meaning') }
}
