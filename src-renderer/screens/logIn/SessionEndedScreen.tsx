/** Shown when the session of an account has ended while a window was open. */
import { Button, Stack, Text, Title } from '@mantine/core'
import { useWords } from '../../words/words.tsx'

export function SessionEndedScreen({ onLogIn }: { onLogIn: () => void }) {
  const t = useWords()
  return (
    <main>
      <Stack maw="60ch" mx="auto" px="md" pt="15vh" align="flex-start">
        <Title order={1}>{t('logIn.ended.title')}</Title>
        <Text>{t('logIn.ended.text')}</Text>
        <Button onClick={onLogIn}>{t('logIn.submit')}</Button>
      </Stack>
    </main>
  )
}
