/** The attic: everything that was taken out of service, where its bytes are and whether they are still what was put there. */
import { Group } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { AtticEntry, AtticLook } from '../../../src-main/contract/services/archive.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { VirtualList } from '../../parts/VirtualList.tsx'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Say } from '../../words/words.tsx'
import { ListCut } from '../copies/ListCut.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { AtticRestore } from './AtticRestore.tsx'
import { ChecksumsCompared } from './ChecksumsCompared.tsx'
import { atticTones } from './repairLooks.ts'
import styles from './repair.module.css'

export function AtticTab() {
  const say = useWords()
  const { repairs: store } = useSession()
  const { attic, load, glance } = useStore(store)
  useEffect(() => void load(), [load])
  // Somebody may have moved the bytes of an entry since; and a new entry was not looked at yet.
  const newest = valueOf(attic)?.[0]
  const newestState = newest && `${newest.id} ${newest.where}`
  useEffect(() => {
    if (newestState !== undefined) void glance()
  }, [glance, newestState])
  const [restored, setRestored] = useState<AtticEntry | null>(null)
  return (
    <Await of={attic} onRetry={() => void load()}>
      {(entries) =>
        entries.length === 0 ? (
          <EmptyState title={say('attic.none')} text={say('attic.none.text')} />
        ) : (
          <Section title={say('attic.title')}>
            <p className="dimmed lead">{say('attic.text')}</p>
            <div className={styles.attic}>
              <VirtualList label={say('attic.title')} rows={entries} rowKey={({ id }) => id}>
                {(entry) => <Entry entry={entry} onRestore={() => setRestored(entry)} />}
              </VirtualList>
            </div>
            <ListCut of="attic" count={entries.length} />
            <AtticRestore entry={restored} onClose={() => setRestored(null)} />
          </Section>
        )
      }
    </Await>
  )
}

function Entry({ entry, onRestore }: { entry: AtticEntry; onRestore: () => void }) {
  const say = useWords()
  const { bytes } = useFormats()
  const { repairs: store } = useSession()
  const { looks, readEntry } = useStore(store)
  const [isReading, setReading] = useState(false)
  const { id, name, replica, at, who, reason, sha256, registered, where, brought, restoredAs } = entry
  const look = looks.get(id)
  return (
    <article aria-label={say('attic.entry', { id, name })}>
      <Group justify="space-between" gap="xs" mb={4}>
        <Group gap="xs">
          <strong className="wrap">{say('attic.entry', { id, name })}</strong>
          {look && <ToneBadge tone={atticTones[look.state]} text={say(`attic.look.${look.state}`)} />}
        </Group>
        <Group gap="xs">
          <ActionButton
            size="xs"
            variant="default"
            why={isReading ? say('attic.reading') : whyNotRead(entry, look, say)}
            aria-label={say('attic.read.of', { id })}
            onClick={() => {
              setReading(true)
              void readEntry(id).finally(() => setReading(false))
            }}
          >
            {say('attic.read')}
          </ActionButton>
          <ActionButton
            size="xs"
            variant="default"
            why={whyNotBeside(entry, look, say)}
            aria-label={say('attic.restore.of', { id })}
            onClick={onRestore}
          >
            {say('attic.restore')}
          </ActionButton>
        </Group>
      </Group>
      <p className={`wrap ${styles.atticLook}`} role="status">
        {isReading ? say('attic.reading') : look?.text}
      </p>
      <Facts
        facts={[
          { name: say('attic.replica'), value: replica },
          { name: say('attic.at'), value: timeUtc(at) },
          {
            name: say('attic.who'),
            value: who === 'person' || who === 'recovery' ? say(`attic.who.${who}`) : who,
          },
          { name: say('attic.bytes'), value: entry.bytes === null ? '–' : bytes(entry.bytes) },
          {
            name: say('attic.brought'),
            value:
              brought === null ? (
                <>
                  {say('attic.brought.not')}{' '}
                  <a href={hrefOf({ place: 'repair', file: name, replica })}>{say('attic.finish')}</a>
                </>
              ) : (
                timeUtc(brought)
              ),
          },
          {
            name: say('attic.restored'),
            value:
              restoredAs === null ? (
                say('attic.restored.not')
              ) : (
                <a href={hrefOf({ place: 'file', file: restoredAs })}>{restoredAs}</a>
              ),
          },
        ]}
      />
      <dl className={styles.atticLines}>
        <div>
          <dt>{say('attic.reason')}</dt>
          <dd className="wrap">{reason}</dd>
        </div>
        <div>
          <dt>{say('attic.where')}</dt>
          <dd className="wrap">
            {where === null ? (
              say(entry.state === 'open' ? 'attic.where.open' : 'attic.where.noReplica', { replica })
            ) : (
              <span className="with-copy">
                <span className="mono wrap">{where}</span>
                <CopyAction text={where} what={say('attic.path', { id })} />
              </span>
            )}
          </dd>
        </div>
      </dl>
      <ChecksumsCompared
        lines={[
          { name: say('attic.should'), sha256: registered },
          { name: say('attic.had'), ...(sha256 === null ? { text: say('attic.had.unread') } : { sha256 }) },
        ]}
      />
    </article>
  )
}

function whyNotRead(entry: AtticEntry, look: AtticLook | undefined, say: Say): string | null {
  if (entry.sha256 === null) return say('attic.restore.why.unread')
  return look?.state === 'none' || entry.bytes === null ? say('attic.restore.why.none') : null
}

function whyNotBeside(entry: AtticEntry, look: AtticLook | undefined, say: Say): string | null {
  switch (look?.state) {
    case 'none':
    case 'gone':
    case 'changed':
      return say(`attic.restore.why.${look.state}`)
    default:
      return entry.sha256 === null ? say('attic.restore.why.unread') : null
  }
}
