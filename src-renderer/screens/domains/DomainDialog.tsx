/** Changes what belongs to a domain as a whole: comments, default configuration, alias, crawler traps and further fields. */
import { Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { DomainDetails } from '../../../src-main/contract/services/domains.ts'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { textsIn } from '../harvest/typedLines.ts'
import { FieldValueInputs, typedValues } from './FieldValueInputs.tsx'

interface DomainDialogProps {
  /** Null while the dialog is closed. */
  details: DomainDetails | null
  onChanged: () => void
  onClose: () => void
}

export function DomainDialog({ details, onChanged, onClose }: DomainDialogProps) {
  const t = useWords()
  return (
    <FormDialog
      opened={details !== null}
      onClose={onClose}
      size={700}
      title={t('domains.edit.title', { domain: details?.domain ?? '' })}
    >
      {details && <Form details={details} onChanged={onChanged} onClose={onClose} />}
    </FormDialog>
  )
}

function Form({ details, onChanged, onClose }: DomainDialogProps & { details: DomainDetails }) {
  const t = useWords()
  const { services } = useSession()
  const { domain } = details
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: {
      comments: details.comments,
      defaultConfiguration: details.defaultConfiguration,
      aliasOf: details.alias?.of ?? '',
      traps: details.traps.join('\n'),
      fields: details.fields,
    },
    problemsOf: () => ({ comments: null, defaultConfiguration: null, aliasOf: null, traps: null, fields: null }),
    save: async ({ comments, defaultConfiguration, aliasOf, traps, fields }) => {
      const of = aliasOf.trim()
      // Naming the alias again would renew it.
      const alias = of === (details.alias?.of ?? '') ? {} : { aliasOf: of === '' ? null : of }
      const change = { domain, comments, defaultConfiguration, traps: textsIn(traps), fields: typedValues(fields) }
      await services.domains.edit({ ...change, ...alias })
      onChanged()
    },
    onSaved: onClose,
  })
  return (
    <form {...form} aria-label={t('domains.edit.title', { domain })}>
      <Stack>
        <Select
          {...control('defaultConfiguration')}
          label={t('domains.defaultConfiguration')}
          description={t('domains.defaultConfiguration.hint')}
          data={details.configurations.map(({ name }) => name)}
          value={draft.defaultConfiguration}
          allowDeselect={false}
          onChange={(value) => change({ defaultConfiguration: value ?? draft.defaultConfiguration })}
        />
        <Textarea
          {...control('traps')}
          label={t('domains.traps')}
          description={t('domains.traps.hint')}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          autosize
          minRows={3}
          maxRows={14}
          value={draft.traps}
          onChange={(event) => change({ traps: event.currentTarget.value })}
        />
        <TextInput
          {...control('aliasOf')}
          label={t('domains.aliasOf')}
          description={t('domains.aliasOf.hint')}
          spellCheck={false}
          value={draft.aliasOf}
          onChange={(event) => change({ aliasOf: event.currentTarget.value })}
        />
        <FieldValueInputs subject="domain" values={draft.fields} onChange={(fields) => change({ fields })} />
        <Textarea
          {...control('comments')}
          label={t('harvests.comments')}
          autosize
          minRows={2}
          value={draft.comments}
          onChange={(event) => change({ comments: event.currentTarget.value })}
        />
        <FormEnd refusal={refusal} verb={t('timings.save')} why={isSending ? t('schedule.saving') : null} />
      </Stack>
    </form>
  )
}
