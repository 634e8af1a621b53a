/** The copy of the file in each replica: how it was stored, how it was when somebody last looked, what the vote says of it, and
 *  what can be done. */
import { Group, Title } from '@mantine/core'
import { ShieldCheck, Wrench } from 'lucide-react'
import { useId } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { FileHistory } from '../../../src-main/contract/services/archive.ts'
import { uploadStates } from '../../../src-main/contract/states/states.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { StateBadge } from '../../parts/tone.tsx'
import type { ArchivedFileState } from '../../state/archivedFile.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { whyNoCheck } from '../copies/checkWords.ts'
import { CopyBadge, isStored } from '../copies/CopyBadge.tsx'
import { VoteBadge } from '../copies/VoteBadge.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { whatToRepair } from './copyLook.ts'
import styles from './archivedFile.module.css'

interface CopiesProps {
  history: FileHistory
  store: StoreApi<ArchivedFileState>
}

export function Copies({ history, store }: CopiesProps) {
  const say = useWords()
  const { vote, file } = history
  const voting = vote.copies.map(({ replica }) => replica)
  const others = file.replicas.map(({ replica }) => replica).filter((replica) => !voting.includes(replica))
  return (
    <Section title={say('archivedFile.copies')}>
      <p className="lead">
        {vote.text} {vote.winner !== null && say('archivedFile.votes', { votes: vote.votes, needed: vote.needed })}
      </p>
      <div className="cards">
        {[...voting, ...others].map((replica) => (
          <CopyCard key={replica} replica={replica} history={history} store={store} />
        ))}
      </div>
    </Section>
  )
}

function CopyCard({ replica, history, store }: CopiesProps & { replica: string }) {
  const say = useWords()
  const { ago } = useFormats()
  const headingId = useId()
  const { archive } = useSession()
  const { replicas, checks } = useStore(archive)
  const { checkNow } = useStore(store)
  const { file, vote } = history
  const copy = file.replicas.find((each) => each.replica === replica)
  const verdict = vote.copies.find((each) => each.replica === replica)?.verdict
  const known = valueOf(replicas)?.find((each) => each.replica === replica)
  const isGone = valueOf(replicas) !== undefined && known === undefined
  const looked = (time: string | null | undefined) =>
    time ? <span title={ago(time, new Date())}>{timeUtc(time)}</span> : say('archive.never')
  const why = known ? whyNoCheck(say, [known], valueOf(checks) ?? []) : say('archivedFile.noReplica')
  return (
    <article className="card" aria-labelledby={headingId}>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Title order={3} size="h5" id={headingId}>
          {replica}
        </Title>
        <CopyBadge copy={copy} />
      </Group>
      {known?.reachable === false && <p className={styles.copyNote}>{say('archivedFile.unreachable')}</p>}
      {isGone && <p className={styles.copyNote}>{say('archivedFile.noReplica')}</p>}
      {copy?.problem && <p className={styles.copyNote}>{copy.problem}</p>}
      <Facts
        facts={[
          {
            name: say('archivedFile.upload'),
            value: copy ? <StateBadge table={uploadStates} state={copy.upload} /> : say('archivedFile.never'),
          },
          {
            name: say('archivedFile.verdict'),
            value: verdict ? <VoteBadge verdict={verdict} /> : '–',
          },
          { name: say('archivedFile.looked'), value: looked(copy?.checked) },
          { name: say('archivedFile.compared'), value: looked(copy?.verified) },
        ]}
      />
      <Group gap="xs" mt="sm">
        <ActionButton
          size="xs"
          variant="default"
          leftSection={<ShieldCheck size={14} aria-hidden />}
          why={copy && isStored(copy) ? why : say('archivedFile.check.why.notStored')}
          aria-label={say('archivedFile.check.of', { replica })}
          onClick={() => void checkNow(replica)}
        >
          {say('archivedFile.check.one')}
        </ActionButton>
        {!isGone && whatToRepair(copy) && (
          <LinkButton
            size="xs"
            leftSection={<Wrench size={14} aria-hidden />}
            aria-label={say('archivedFile.repair.of', { replica })}
            href={hrefOf({ place: 'repair', file: file.name, replica })}
          >
            {say('archivedFile.repair')}
          </LinkButton>
        )}
      </Group>
    </article>
  )
}
