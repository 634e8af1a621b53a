/** Adds a rule that ignores misses of a job. */
import { Stack, Text, TextInput } from '@mantine/core'
import { patternProblem } from '../../../src-main/contract/shapes/pattern.ts'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { suggestedRule } from './suggestedRule.ts'
import type { ChosenMiss } from './chosenMiss.ts'

export function IgnoreForm({ chosen, onDone }: { chosen: readonly ChosenMiss[]; onDone: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: { pattern: suggestedRule(chosen.map(({ url }) => url)) },
    problemsOf: ({ pattern }) => {
      const problem = patternProblem(pattern)
      return { pattern: pattern === '' ? t('missing.ignore.empty') : problem && t(problem) }
    },
    save: ({ pattern }) => services.misses.ignore({ job: chosen[0]?.job ?? 0, pattern }),
    onSaved: onDone,
  })
  return (
    <form {...form} aria-label={t('missing.ignore')}>
      <Stack>
        <Text size="sm">{t('missing.ignore.text')}</Text>
        <TextInput
          {...control('pattern')}
          label={t('missing.ignore.pattern')}
          required
          data-autofocus
          value={draft.pattern}
          onChange={(event) => change({ pattern: event.currentTarget.value })}
        />
        <FormEnd
          refusal={refusal}
          verb={t('missing.ignore.verb')}
          why={isSending ? t('missing.ignore.sending') : null}
        />
      </Stack>
    </form>
  )
}
