/** Makes patch jobs for selected misses. */
import { Checkbox, Group, Radio, Stack, Text } from '@mantine/core'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { showNotice } from '../../parts/notice.ts'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import type { ChosenMiss } from './chosenMiss.ts'

export function PatchForm({ chosen, onDone }: { chosen: readonly ChosenMiss[]; onDone: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: { ignoreRobots: false, when: 'now' },
    problemsOf: () => ({ ignoreRobots: null, later: null, misses: null }),
    async save({ ignoreRobots, when }) {
      const misses = chosen.map(({ id }) => id)
      const made = await services.misses.patch({ misses, ignoreRobots, later: when === 'later' })
      const jobs = made.map(({ job }) => job).join(', ')
      showNotice({ message: t('missing.patch.made', { count: made.length, jobs }) })
    },
    onSaved: onDone,
  })
  return (
    <form {...form} aria-label={t('missing.patch.title', { count: chosen.length })}>
      <Stack>
        <Text size="sm">{t('missing.patch.text')}</Text>
        <Radio.Group
          {...control('later')}
          label={t('missing.patch.when')}
          value={draft.when}
          onChange={(when) => change({ when })}
        >
          <Group mt={4}>
            <Radio value="now" label={t('missing.patch.now')} />
            <Radio value="later" label={t('missing.patch.later')} />
          </Group>
        </Radio.Group>
        <Checkbox
          {...control('ignoreRobots')}
          label={t('missing.patch.robots')}
          checked={draft.ignoreRobots}
          onChange={(event) => change({ ignoreRobots: event.currentTarget.checked })}
        />
        <FormEnd refusal={refusal} verb={t('missing.patch.verb')} why={isSending ? t('missing.patch.sending') : null} />
      </Stack>
    </form>
  )
}
