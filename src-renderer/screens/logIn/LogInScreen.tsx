/** Shown to a browser that reaches a server with accounts and is not logged in. */
import { Alert, Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import type { LogIns } from '../../links/logIn.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useWords } from '../../words/words.tsx'

interface LogInProps {
  logIn: LogIns['logIn']
  onToken(token: string): void
}

export function LogInScreen({ logIn, onToken }: LogInProps) {
  const t = useWords()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isChecking, setChecking] = useState(false)

  async function submit(): Promise<void> {
    setChecking(true)
    setProblem(null)
    try {
      onToken(await logIn({ name, password }))
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
          void submit()
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
        </Stack>
      </form>
    </main>
  )
}
