/** Saved searches: opened, deleted, and the present one saved. */
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import type { SavedSearch } from '../../../src-main/contract/services/search.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { IconAction } from '../../parts/IconAction.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import styles from './search.module.css'
import { routeOfPlace, type SearchPlace } from './searchPlace.ts'

export function SavedButton({ place }: { place: SearchPlace }) {
  const t = useWords()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('search.saved.open')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        size="lg"
        title={t('search.saved.title')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Saved place={place} onChosen={close} />
      </Modal>
    </>
  )
}

function Saved({ place, onChosen }: { place: SearchPlace; onChosen: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const [saved, again] = useLoaded(useCallback(() => services.search.saved({}), [services]))
  const [refusal, setRefusal] = useState<Fault | null>(null)

  async function change(work: () => Promise<unknown>): Promise<void> {
    setRefusal(null)
    try {
      await work()
    } catch (error) {
      setRefusal(faultFrom(error))
    }
    again()
  }

  return (
    <Stack>
      {place.query === '' ? (
        <Text size="sm">{t('search.saved.hint')}</Text>
      ) : (
        <SaveForm onSave={(name) => change(() => services.search.save({ ...place, name }))} />
      )}
      {refusal && <FaultNote fault={refusal} />}
      <Await of={saved} onRetry={again}>
        {(searches) => (
          <SavedList
            searches={searches}
            onChosen={onChosen}
            onForget={(name) => void change(() => services.search.forget({ name }))}
          />
        )}
      </Await>
    </Stack>
  )
}

function SaveForm({ onSave }: { onSave: (name: string) => Promise<void> }) {
  const t = useWords()
  const [name, setName] = useState('')
  const isNamed = name.trim() !== ''
  async function save(): Promise<void> {
    if (!isNamed) return
    await onSave(name.trim())
    setName('')
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Group align="end" gap="sm" wrap="nowrap">
        <TextInput
          flex={1}
          label={t('search.saved.name')}
          maxLength={100}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
          data-autofocus
        />
        <ActionButton
          needs="search.save"
          type="submit"
          why={isNamed ? null : t('search.saved.noName')}
          onClick={() => undefined}
        >
          {t('search.saved.save')}
        </ActionButton>
      </Group>
    </form>
  )
}

interface SavedListProps {
  searches: readonly SavedSearch[]
  onChosen: () => void
  onForget: (name: string) => void
}

function SavedList({ searches, onChosen, onForget }: SavedListProps) {
  const t = useWords()
  if (searches.length === 0) return <Text c="dimmed">{t('search.saved.none')}</Text>
  return (
    <ul className={styles.saved} aria-label={t('search.saved.title')}>
      {searches.map(({ name, ...place }) => (
        <li key={name}>
          <div>
            <a href={hrefOf(routeOfPlace(place))} onClick={onChosen}>
              {name}
            </a>
            <Text size="sm" c="dimmed">
              {t(`search.mode.${place.mode}`)}: <bdi>{place.query}</bdi>
            </Text>
          </div>
          <IconAction
            needs="search.forget"
            name={t('search.saved.forget', { name })}
            icon={X}
            onClick={() => onForget(name)}
          />
        </li>
      ))}
    </ul>
  )
}
