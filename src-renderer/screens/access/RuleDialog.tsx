/** Adds a security rule, or changes the tokens of one. */
import { NumberInput, Select, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import type { SecurityRule } from '../../../src-main/contract/services/security.ts'
import { tokenLevels } from '../../../src-main/contract/shapes/choices.ts'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { jobTyped } from './jobTyped.ts'

interface RuleDialogProps {
  /** The rule that is changed; 'new' for another one; null while the dialog is closed. */
  edited: SecurityRule | 'new' | null
  /** Names of the authority groups. */
  groups: readonly string[]
  onClose: () => void
  onSaved: () => void
}

export function RuleDialog({ edited, groups, onClose, onSaved }: RuleDialogProps) {
  const t = useWords()
  const title = edited === 'new' ? t('rules.add') : edited && t('rules.edit', { rule: edited.rule })
  return (
    <FormDialog opened={edited !== null} onClose={onClose} size={640} title={title}>
      {edited && (
        <Form
          edited={edited === 'new' ? null : edited}
          groups={groups}
          onSaved={() => {
            onClose()
            onSaved()
          }}
        />
      )}
    </FormDialog>
  )
}

interface FormProps extends Pick<RuleDialogProps, 'groups' | 'onSaved'> {
  edited: SecurityRule | null
}

function Form({ edited, groups, onSaved }: FormProps) {
  const t = useWords()
  const { services } = useSession()
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: {
      ...{ job: edited?.job ?? '', surtPrefix: edited?.surtPrefix ?? '' },
      ...{ level: edited?.level ?? 'share', group: edited?.group ?? groups[0] ?? '' },
      ...{ allow: edited?.allow ?? [], deny: edited?.deny ?? [] },
    },
    problemsOf: ({ job, allow, deny }) => ({
      ...{ group: null, level: null, surtPrefix: null, deny: null },
      job: jobTyped(job) === undefined ? t('rules.job.wrong') : null,
      allow: allow.length === 0 && deny.length === 0 ? t('rules.tokens.needed') : null,
    }),
    save: ({ job, ...typed }) => services.security.set({ ...typed, job: jobTyped(job) ?? null }),
    onSaved,
  })
  const isFixed = edited !== null
  return (
    <form {...form} aria-label={t('rules.form')}>
      <Stack>
        {isFixed && <Text size="sm">{t('rules.fixed')}</Text>}
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <Select
            {...control('group')}
            label={t('rules.group')}
            required
            disabled={isFixed}
            allowDeselect={false}
            data={[...groups]}
            value={draft.group || null}
            onChange={(group) => group !== null && change({ group })}
          />
          <NumberInput
            {...control('job')}
            label={t('rules.job')}
            description={t('rules.job.hint')}
            hideControls
            disabled={isFixed}
            value={draft.job}
            onChange={(job) => change({ job })}
          />
        </SimpleGrid>
        <TextInput
          {...control('surtPrefix')}
          label={t('rules.prefix')}
          description={t('rules.prefix.hint')}
          disabled={isFixed}
          value={draft.surtPrefix}
          onChange={(event) => change({ surtPrefix: event.currentTarget.value })}
        />
        <Select
          {...control('level')}
          label={t('rules.level')}
          description={t('rules.level.hint')}
          disabled={isFixed}
          allowDeselect={false}
          data={tokenLevels.map((level) => ({ value: level, label: t(`rules.level.${level}`) }))}
          value={draft.level}
          onChange={(value) => change({ level: tokenLevels.find((level) => level === value) ?? draft.level })}
        />
        <TagsInput
          {...control('allow')}
          label={t('rules.allow')}
          description={t('rules.allow.hint')}
          acceptValueOnBlur
          splitChars={[]}
          value={draft.allow}
          onChange={(allow) => change({ allow })}
        />
        <TagsInput
          {...control('deny')}
          label={t('rules.deny')}
          description={t('rules.deny.hint')}
          acceptValueOnBlur
          splitChars={[]}
          value={draft.deny}
          onChange={(deny) => change({ deny })}
        />
        <FormEnd refusal={refusal} verb={t('access.save')} why={isSending ? t('access.saving') : null} />
      </Stack>
    </form>
  )
}
