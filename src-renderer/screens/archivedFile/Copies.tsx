/** The copy of the file in each replica: how it was stored, its state at the last check, the verdict of the vote, and its actions. */
import { Group, Title } from '@mantine/core'
import { ShieldCheck, Wrench } from 'lucide-react'
import { useId } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { FileHistory } from '../../../src-main/contract/services/archivedFiles.ts'
import { isStoredCopy } from '../../../src-main/contract/states/copyStates.ts'
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
import { CopyBadge } from '../copies/CopyBadge.tsx'
import { VoteBadge } from '../copies/VoteBadge.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { whatToRepair } from './copyTones.ts'
import styles from './archivedFile.module.css'

interface CopiesProps {
  history: FileHistory
  store: StoreApi<ArchivedFileState>
}

export function Copies({ history, store }: CopiesProps) {
  const t = useWords()
  const { vote, file } = history
  const voting = vote.copies.map(({ replica }) => replica)
  const others = file.replicas.map(({ replica }) => replica).filter((replica) => !voting.includes(replica))
  return (
    <Section title={t('archivedFile.copies')}>
      <p className="lead">
        {t(vote.message)} {vote.winner !== null && t('archivedFile.votes', { votes: vote.votes, needed: vote.needed })}
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
  const t = useWords()
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
    time ? <span title={ago(time, new Date())}>{timeUtc(time)}</span> : t('archive.never')
  const why = known ? whyNoCheck(t, [known], valueOf(checks) ?? []) : t('archivedFile.noReplica')
  return (
    <article className="card" aria-labelledby={headingId}>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Title order={3} size="h5" id={headingId}>
          {replica}
        </Title>
        <CopyBadge copy={copy} />
      </Group>
      {known?.reachable === false && <p className={styles.copyNote}>{t('archivedFile.unreachable')}</p>}
      {isGone && <p className={styles.copyNote}>{t('archivedFile.noReplica')}</p>}
      {copy?.problem && <p className={styles.copyNote}>{t(copy.problem)}</p>}
      <Facts
        facts={[
          {
            name: t('archivedFile.upload'),
            value: copy ? <StateBadge table={uploadStates} state={copy.upload} /> : t('archivedFile.never'),
          },
          {
            name: t('archivedFile.verdict'),
            value: verdict ? <VoteBadge verdict={verdict} /> : '–',
          },
          { name: t('archivedFile.looked'), value: looked(copy?.checked) },
          { name: t('archivedFile.compared'), value: looked(copy?.verified) },
        ]}
      />
      <Group gap="xs" mt="sm">
        <ActionButton
          needs="archive.check"
          size="xs"
          variant="default"
          leftSection={<ShieldCheck size={14} aria-hidden />}
          why={copy && isStoredCopy(copy) ? why : t('archivedFile.check.why.notStored')}
          aria-label={t('archivedFile.check.of', { replica })}
          onClick={() => void checkNow(replica)}
        >
          {t('archivedFile.check.one')}
        </ActionButton>
        {!isGone && whatToRepair(copy) && (
          <LinkButton
            needs="archive.repairPlan"
            size="xs"
            leftSection={<Wrench size={14} aria-hidden />}
            aria-label={t('archivedFile.repair.of', { replica })}
            href={hrefOf({ place: 'repair', file: file.name, replica })}
          >
            {t('archivedFile.repair')}
          </LinkButton>
        )}
      </Group>
    </article>
  )
}
