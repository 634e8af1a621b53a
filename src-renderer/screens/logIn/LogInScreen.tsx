/** Shown to a browser that reaches a server with accounts and is not logged in. */
import { Alert, Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import type { LogIns } from '../../links/logIn.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useWords } from '../../words/words.tsx'

interface LogInProps {
  logIns: Pick<LogIns, 'logIn' | 'beginWithProvider'>
  /** Name of the provider with which accounts can log in, too; null: there is none. */
  provider: string | null
  /** Why a log-in with the provider failed; null: none did. */
  providerProblem: string | null
  onToken(token: string): void
  /** Goes to the page of the provider. */
  onLeave(url: string): void
}

export function LogInScreen({ logIns, provider, providerProblem, onToken, onLeave }: LogInProps) {
  const t = useWords()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState(providerProblem)
  const [isChecking, setChecking] = useState(false)

  async function attempt(act: () => Promise<void>): Promise<void> {
    setChecking(true)
    setProblem(null)
    try {
      await act()
    } catch (error) {
      setProblem(faultFrom(error).message)
      setPassword('')
    } finally {
      setChecking(false)
    }
  }

  return (
    <main>
      <form
        aria-label={t('logIn.title')}
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault()
          void attempt(async () => onToken(await logIns.logIn({ name, password })))
        }}
      >
        <Stack maw="40ch" mx="auto" px="md" pt="15vh">
          <Title order={1}>{t('logIn.title')}</Title>
          {problem !== null && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <TextInput
            label={t('logIn.name')}
            autoComplete="username"
            autoFocus
            required
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <PasswordInput
            label={t('logIn.password')}
            autoComplete="current-password"
            required
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          <Button type="submit" loading={isChecking}>
            {t('logIn.submit')}
          </Button>
          {provider !== null && (
            <Button
              variant="default"
              disabled={isChecking}
              onClick={() => void attempt(async () => onLeave(await logIns.beginWithProvider()))}
            >
              {t('logIn.provider', { name: provider })}
            </Button>
          )}
        </Stack>
      </form>
    </main>
  )
}
