/** Shown when the engine does not accept the token of this window: what that means and what to do. */
import { Stack, Text, Title } from '@mantine/core'
import { useWords } from '../../words/words.tsx'

/** `none`: the address contained no token. `wrong`: the engine was restarted and has a new one. */
export function RefusedScreen({ why }: { why: 'none' | 'wrong' }) {
  const t = useWords()
  return (
    <main>
      <Stack maw="60ch" mx="auto" px="md" pt="15vh">
        <Title order={1}>{t(why === 'none' ? 'refused.none.title' : 'refused.wrong.title')}</Title>
        <Text>{t(why === 'none' ? 'refused.none.text' : 'refused.wrong.text')}</Text>
        <Text>{t('refused.todo')}</Text>
      </Stack>
    </main>
  )
}
