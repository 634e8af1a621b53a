/** Chooses a stored credential by its name, or stores a new one. The password is sent to the engine and never comes back; the form says
 *  beforehand where it is stored. */
import { Alert, Group, PasswordInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { KeyRound, TriangleAlert } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useUnsaved } from '../../parts/unsaved.tsx'
import type { Credentials, KnownCredentials } from '../../state/credentials.ts'
import { useFormErrors } from '../../parts/useFormErrors.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

/** Cannot be the name of a credential, because those contain no spaces. */
const another = 'a new one'

interface PickerProps {
  /** Name of the control. */
  field: string
  credentials: Credentials
  value: string
  error?: string | undefined
  onChange: (name: string) => void
}

export function CredentialPicker({ field, credentials: { known, load }, value, error, onChange }: PickerProps) {
  const t = useWords()
  const [isNew, setNew] = useState(false)

  return (
    <Await of={known} onRetry={() => void load()}>
      {({ credentials, store }) => {
        const showNew = isNew || credentials.length === 0
        return (
          <Stack gap="sm">
            {credentials.length > 0 && (
              <Select
                data-field={field}
                label={t('login.credential')}
                description={t('login.credential.hint')}
                required
                data={[
                  ...credentials.map(({ name }) => ({ value: name, label: name })),
                  { value: another, label: t('login.credential.new') },
                ]}
                value={isNew ? another : value || null}
                allowDeselect={false}
                onChange={(name) => {
                  setNew(name === another)
                  onChange(name === another || name === null ? '' : name)
                }}
                {...(error === undefined ? {} : { error })}
              />
            )}
            {showNew && (
              <NewCredential
                field={field}
                store={store}
                error={credentials.length === 0 ? error : undefined}
                onKept={(name) => {
                  setNew(false)
                  onChange(name)
                  void load()
                }}
              />
            )}
          </Stack>
        )
      }}
    </Await>
  )
}

type TypedField = 'name' | 'user' | 'password'

interface NewProps {
  field: string
  store: KnownCredentials['store']
  error: string | undefined
  onKept: (name: string) => void
}

function NewCredential({ field: control, store, error, onKept }: NewProps) {
  const t = useWords()
  const { services } = useSession()
  const [typed, setTyped] = useState({ name: '', user: '', password: '' })
  const [refusal, setRefusal] = useState<Fault | null>(null)
  const [keeping, setKeeping] = useState(false)
  useUnsaved(Object.values(typed).some((text) => text !== ''))
  const missing = (name: TypedField) => (typed[name] === '' ? t(`login.credential.problem.${name}`) : null)
  const problems = { name: missing('name'), user: missing('user'), password: missing('password') }
  const errors = useFormErrors<TypedField, HTMLDivElement>(problems, refusal)

  async function keep(): Promise<void> {
    if (keeping || !errors.isComplete()) return
    setKeeping(true)
    setRefusal(null)
    try {
      const { name } = await services.credentials.set(typed)
      onKept(name)
    } catch (error) {
      const fault = faultFrom(error)
      setRefusal(fault)
      errors.leadTo(fault)
    } finally {
      setKeeping(false)
    }
  }

  /** Enter would submit the form around it. */
  function keepByEnter(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    void keep()
  }

  const field = (name: TypedField) => ({
    ...errors.control(name),
    label: t(`login.credential.${name}`),
    value: typed[name],
    autoComplete: name === 'password' ? 'new-password' : 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setTyped((before) => ({ ...before, [name]: value }))
      setRefusal(null)
    },
  })

  return (
    <Stack
      ref={errors.form}
      data-field={control}
      gap="sm"
      role="group"
      aria-label={t('login.credential.new')}
      onKeyDown={keepByEnter}
    >
      <Alert
        color={store.isProtected ? 'blue' : 'yellow'}
        icon={store.isProtected ? <KeyRound aria-hidden /> : <TriangleAlert aria-hidden />}
      >
        {t(store.message)}
      </Alert>
      <TextInput {...(error === undefined ? {} : { error })} {...field('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput {...field('user')} />
        <PasswordInput {...field('password')} />
      </SimpleGrid>
      {errors.note && <FaultNote fault={errors.note} />}
      <Group justify="end">
        <ActionButton
          variant="default"
          onClick={() => void keep()}
          leftSection={<KeyRound size={16} aria-hidden />}
          why={keeping ? t('login.credential.keeping') : null}
        >
          {t('login.credential.keep')}
        </ActionButton>
      </Group>
    </Stack>
  )
}
