/** The part of the harvest form for logins: which pages need one, the credentials, and whether the login requests are archived. */
import { Button, Stack, Text } from '@mantine/core'
import { Plus } from 'lucide-react'
import { loginRecordings } from '../../../src-main/contract/shapes/choices.ts'
import { FieldError } from '../../parts/FieldError.tsx'
import { FixedFields } from '../../parts/FixedFields.tsx'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { useCredentials } from '../../state/credentials.ts'
import { useWords } from '../../words/words.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import type { ErrorOf } from './problemWords.ts'
import { LoginAreaFields } from './LoginAreaFields.tsx'
import { emptyArea, type LoginAreaDraft, type LoginDraft } from './loginDraft.ts'

interface LoginPartProps {
  draft: LoginDraft
  errorOf: ErrorOf
  /** The reason why it cannot be changed now; null where it can. */
  fixed: string | null
  onChange: (draft: LoginDraft) => void
}

export function LoginPart({ draft, errorOf, fixed, onChange }: LoginPartProps) {
  const t = useWords()
  const { areas, recorded } = draft
  return (
    <FoldedPart title={t('login.legend')} text={t('login.text')}>
      <FixedFields why={fixed}>
        <Stack gap="md">
          <LoginAreaList
            areas={areas}
            errorOf={errorOf}
            onChange={(changed) => onChange({ ...draft, areas: changed })}
          />
          {areas.length > 0 && (
            <>
              <ChoiceField
                field="login.recorded"
                label={t('login.recorded')}
                hint={t('login.recorded.hint')}
                values={loginRecordings}
                value={recorded}
                wordOf={(value) => `login.recorded.${value}`}
                errorOf={errorOf}
                onChange={(value) => onChange({ ...draft, recorded: value })}
              />
              <Text size="sm" c="dimmed">
                {t('login.archived')}
              </Text>
            </>
          )}
        </Stack>
      </FixedFields>
    </FoldedPart>
  )
}

interface LoginAreaListProps {
  areas: readonly LoginAreaDraft[]
  errorOf: ErrorOf
  onChange: (areas: LoginAreaDraft[]) => void
}

/** The areas that need a login, and a button that adds one. */
export function LoginAreaList({ areas, errorOf, onChange }: LoginAreaListProps) {
  const t = useWords()
  const credentials = useCredentials(areas.length > 0)
  return (
    <>
      {areas.map((area, row) => (
        <LoginAreaFields
          key={area.id}
          row={row}
          area={area}
          credentials={credentials}
          errorOf={errorOf}
          onChange={(changes) => onChange(areas.map((each) => (each.id === area.id ? { ...each, ...changes } : each)))}
          onRemove={() => onChange(areas.filter(({ id }) => id !== area.id))}
        />
      ))}
      <FieldError {...errorOf('login.areas')} />
      <Button
        data-field="login.areas"
        variant="default"
        w="fit-content"
        leftSection={<Plus size={16} aria-hidden />}
        onClick={() => onChange([...areas, emptyArea(Math.max(-1, ...areas.map(({ id }) => id)) + 1)])}
      >
        {t(areas.length === 0 ? 'login.add' : 'login.addFurther')}
      </Button>
    </>
  )
}
