/** Groups of missing URLs with their sizes. One of them can be chosen as a filter. */
import { Select } from '@mantine/core'
import { useCallback } from 'react'
import { missGroups, type MissFilter, type MissGroup } from '../../../src-main/contract/services/misses.ts'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useFormats } from '../../parts/formats.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import styles from './missing.module.css'

interface MissGroupsProps {
  filter: MissFilter
  by: MissGroup
  group: string | null
  /** Changes when the misses have changed. */
  revision: number
  onBy: (by: MissGroup) => void
  onGroup: (group: string | null) => void
}

export function MissGroups({ filter, by, group, revision, onBy, onGroup }: MissGroupsProps) {
  const t = useWords()
  const formats = useFormats()
  const { services } = useSession()
  const [groups] = useLoaded(
    useCallback(() => services.misses.groups({ ...filter, by }), [services, filter, by]),
    revision,
  )
  return (
    <section className={styles.groups} aria-label={t('missing.groups')}>
      <Select
        label={t('missing.by')}
        allowDeselect={false}
        data={missGroups.map((value) => ({ value, label: t(`missing.by.${value}`) }))}
        value={by}
        onChange={(value) => onBy(missGroups.find((known) => known === value) ?? by)}
      />
      {groups.is === 'refused' && <FaultNote fault={groups.fault} />}
      {groups.is === 'ready' && (
        <ul className={styles.groupList}>
          <li>
            <button type="button" aria-pressed={group === null} onClick={() => onGroup(null)}>
              {t('missing.group.all')}
            </button>
          </li>
          {groups.value.map(({ value, label, misses }) => (
            <li key={value}>
              <button
                type="button"
                aria-pressed={group === value}
                title={t(label)}
                onClick={() => onGroup(group === value ? null : value)}
              >
                <span className={styles.groupName}>{t(label)}</span>
                <span className="dimmed tabular">{formats.count(misses)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
