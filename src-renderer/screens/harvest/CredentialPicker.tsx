/** Choosing a credential by its name, or keeping a new one. A password is typed here and goes to the engine; it never comes
 *  back. Where it will lie is said before it is typed. */
import { Alert, Group, PasswordInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { KeyRound, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import type { Fault } from '../../../src-main/contract/faults.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { faultFrom, loadedFrom, loading, type Loaded } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

type Known = Awaited<ReturnType<Loupe['credentials']['list']>>

/** No name of a credential: they have no blanks. */
const another = 'a new one'

interface PickerProps {
  value: string
  error?: string | undefined
  onChange: (name: string) => void
}

export function CredentialPicker({ value, error, onChange }: PickerProps) {
  const say = useWords()
  const { services } = useSession()
  const [known, setKnown] = useState<Loaded<Known>>(loading)
  const [isNew, setNew] = useState(false)
  const load = async () => setKnown(await loadedFrom(services.credentials.list({})))
  // Once: what is kept here meanwhile is loaded by `onKept`.
  useEffect(() => void loadedFrom(services.credentials.list({})).then(setKnown), [services])

  return (
    <Await of={known} onRetry={() => void load()}>
      {({ credentials, store }) => {
        const showNew = isNew || credentials.length === 0
        return (
          <Stack gap="sm">
            {credentials.length > 0 && (
              <Select
                name="login.credential"
                label={say('login.credential')}
                description={say('login.credential.hint')}
                required
                data={[
                  ...credentials.map(({ name }) => ({ value: name, label: name })),
                  { value: another, label: say('login.credential.new') },
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

interface NewProps {
  store: Known['store']
  error: string | undefined
  onKept: (name: string) => void
}

function NewCredential({ store, error, onKept }: NewProps) {
  const say = useWords()
  const { services } = useSession()
  const [typed, setTyped] = useState({ name: '', user: '', password: '' })
  const [refusal, setRefusal] = useState<Fault | null>(null)
  const [keeping, setKeeping] = useState(false)
  const isWhole = Object.values(typed).every((text) => text !== '')

  async function keep(): Promise<void> {
    setKeeping(true)
    setRefusal(null)
    try {
      const { name } = await services.credentials.set(typed)
      onKept(name)
    } catch (fault) {
      setRefusal(faultFrom(fault))
    } finally {
      setKeeping(false)
    }
  }

  const field = (name: keyof typeof typed) => ({
    label: say(`login.credential.${name}`),
    value: typed[name],
    autoComplete: name === 'password' ? 'new-password' : 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setTyped((before) => ({ ...before, [name]: value }))
    },
  })

  return (
    <Stack gap="sm" role="group" aria-label={say('login.credential.new')}>
      <Alert
        color={store.isProtected ? 'blue' : 'yellow'}
        icon={store.isProtected ? <KeyRound aria-hidden /> : <TriangleAlert aria-hidden />}
      >
        {store.text}
      </Alert>
      <TextInput name="login.credential" {...field('name')} {...(error === undefined ? {} : { error })} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput {...field('user')} />
        <PasswordInput {...field('password')} />
      </SimpleGrid>
      {refusal && <FaultNote fault={refusal} />}
      <Group justify="end">
        <ActionButton
          variant="default"
          onClick={() => void keep()}
          leftSection={<KeyRound size={16} aria-hidden />}
          why={keeping ? say('login.credential.keeping') : isWhole ? null : say('login.credential.incomplete')}
        >
          {say('login.credential.keep')}
        </ActionButton>
      </Group>
    </Stack>
  )
}
