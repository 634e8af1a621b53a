/** Copies that are missing or damaged: which of them can be repaired, which cannot and why, interrupted repairs, and the last outcomes. */
import { Button, Group } from '@mantine/core'
import { ShieldCheck } from 'lucide-react'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { AtticEntry } from '../../../src-main/contract/services/attic.ts'
import type { RepairableCopy } from '../../../src-main/contract/services/repairs.ts'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { VirtualList } from '../../parts/VirtualList.tsx'
import { isRunning } from '../../state/checks.ts'
import { valueOf } from '../../state/loaded.ts'
import { copyKey, unfinished } from '../../state/repairs.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { ListCut } from '../copies/ListCut.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { LastRepairs } from './LastRepairs.tsx'
import { RepairableCopies } from './RepairableCopies.tsx'
import { copyTones } from './repairTones.ts'
import { RestoreRow } from './RestoreRow.tsx'
import styles from './repair.module.css'

export function RepairTab() {
  const t = useWords()
  const { repairs: store } = useSession()
  const { repairable, attic, outcomes, load } = useStore(store)
  // A drive may have been connected or removed since the last load.
  useEffect(() => void load(), [load])
  const interrupted = unfinished(valueOf(attic) ?? [], outcomes)
  return (
    <>
      {interrupted.length > 0 && <Unfinished entries={interrupted} />}
      <RestoreRow />
      <Await of={repairable} onRetry={() => void load()}>
        {(copies) => {
          const open = copies.filter(({ blocker }) => blocker === null)
          const blocked = copies.filter(({ blocker }) => blocker !== null)
          return (
            <>
              {open.length > 0 ? (
                <Section title={t('repair.copies')}>
                  <p className="dimmed lead">{t('repair.copies.text')}</p>
                  <RepairableCopies copies={open} />
                </Section>
              ) : (
                <NothingToRepair blocked={blocked.length > 0} />
              )}
              {blocked.length > 0 && <Blocked copies={blocked} />}
              <ListCut of="findings" count={copies.length} />
            </>
          )
        }}
      </Await>
      <LastRepairs />
    </>
  )
}

function NothingToRepair({ blocked }: { blocked: boolean }) {
  const t = useWords()
  const { archive: store, dialogs } = useSession()
  const { checks } = useStore(store)
  const isChecking = valueOf(checks)?.some(isRunning) ?? false
  return (
    <EmptyState
      title={t(blocked ? 'repair.none.blocked' : 'repair.none')}
      text={t(blocked ? 'repair.none.blocked.text' : 'repair.none.text')}
    >
      <Group gap="xs" mt="xs">
        <Button
          leftSection={<ShieldCheck size={16} aria-hidden />}
          onClick={() => dialogs.getState().showCheck('checkChecksums', null)}
        >
          {t('repair.check')}
        </Button>
        <Button component="a" variant="default" href={hrefOf({ place: 'archive', tab: 'replicas' })}>
          {t('repair.seeReplicas')}
        </Button>
      </Group>
      {isChecking && (
        <p className="dimmed" role="status">
          {t('repair.check.running')}
        </p>
      )}
    </EmptyState>
  )
}

function Blocked({ copies }: { copies: readonly RepairableCopy[] }) {
  const t = useWords()
  return (
    <Section title={t('repair.blocked')}>
      <p className="dimmed lead">{t('repair.blocked.text')}</p>
      <div className={styles.blocked}>
        <VirtualList label={t('repair.blocked')} rows={copies} rowKey={copyKey}>
          {({ name, replica, state, blocker }) => (
            <div className={styles.blockedRow}>
              <div>
                <Group gap="xs">
                  <strong className="wrap">{name}</strong>
                  <span>{replica}</span>
                  <ToneBadge tone={copyTones[state]} text={t(`repair.state.${state}`)} />
                </Group>
                <p className="wrap">{blocker && t(blocker)}</p>
              </div>
              <a
                href={hrefOf({ place: 'repair', file: name, replica })}
                aria-label={t('repair.blocked.readQueue', { name, replica })}
              >
                {t('repair.blocked.look')}
              </a>
            </div>
          )}
        </VirtualList>
      </div>
    </Section>
  )
}

function Unfinished({ entries }: { entries: readonly AtticEntry[] }) {
  const t = useWords()
  return (
    <section className={styles.unfinished} aria-label={t('repair.unfinished')}>
      <h2>
        <ToneBadge tone="attention" text={t('repair.unfinished')} />
      </h2>
      <p>{t('repair.unfinished.text')}</p>
      <ul>
        {entries.map(({ id, name, replica, at, state }) => (
          <li key={id}>
            <span className="wrap">{t(`repair.unfinished.${state}`, { id, name, replica, at: timeUtc(at) })}</span>{' '}
            <a
              href={hrefOf({ place: 'repair', file: name, replica })}
              aria-label={t('repair.unfinished.goFor', { name, replica })}
            >
              {t('repair.unfinished.go')}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
