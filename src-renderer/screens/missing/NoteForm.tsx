/** Writes a note on selected misses. */
import { Stack, Textarea } from '@mantine/core'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import type { ChosenMiss } from './chosenMiss.ts'

export function NoteForm({ chosen, onDone }: { chosen: readonly ChosenMiss[]; onDone: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: { note: '' },
    problemsOf: () => ({ note: null, misses: null }),
    save: ({ note }) => services.misses.note({ misses: chosen.map(({ id }) => id), note }),
    onSaved: onDone,
  })
  return (
    <form {...form} aria-label={t('missing.annotate')}>
      <Stack>
        <Textarea
          {...control('note')}
          label={t('missing.annotate.field')}
          description={t('missing.annotate.hint')}
          autosize
          minRows={2}
          data-autofocus
          value={draft.note}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
        <FormEnd
          refusal={refusal}
          verb={t('missing.annotate.verb')}
          why={isSending ? t('missing.annotate.sending') : null}
        />
      </Stack>
    </form>
  )
}
