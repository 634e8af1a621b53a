/** Fields of the rules that limit requests to hosts: in the form of a harvest, and in that of a connection. */
import { Button, Group, NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { FieldError } from '../../parts/FieldError.tsx'
import { IconAction } from '../../parts/IconAction.tsx'
import { useWords } from '../../words/words.tsx'
import type { ErrorOf } from './problemWords.ts'
import { emptyRule, type ThrottleRuleDraft } from './throttleDraft.ts'

interface ThrottleRulesProps {
  rules: readonly ThrottleRuleDraft[]
  errorOf: ErrorOf
  onChange: (rules: ThrottleRuleDraft[]) => void
}

const limits = ['fetchesPerMinute', 'connections', 'kilobytesPerSecond'] as const

export function ThrottleRules({ rules, errorOf, onChange }: ThrottleRulesProps) {
  const t = useWords()
  return (
    <>
      {rules.map((rule, row) => {
        const change = (changes: Partial<ThrottleRuleDraft>) =>
          onChange(rules.map((each) => (each.id === rule.id ? { ...each, ...changes } : each)))
        return (
          <fieldset key={rule.id} aria-label={t('throttle.rule', { number: row + 1 })} className="card">
            <Group align="end" wrap="nowrap" mb="sm">
              <TextInput
                data-field={`throttle.${row}.match`}
                label={t('throttle.match')}
                description={t('throttle.match.hint')}
                value={rule.match}
                onChange={(event) => change({ match: event.currentTarget.value })}
                required
                flex={1}
                spellCheck={false}
                classNames={{ input: 'mono' }}
                {...errorOf(`throttle.${row}.match`)}
              />
              <IconAction
                icon={Trash2}
                name={t('throttle.remove', { number: row + 1 })}
                onClick={() => onChange(rules.filter(({ id }) => id !== rule.id))}
              />
            </Group>
            <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md" mb="sm">
              {limits.map((field) => (
                <NumberInput
                  key={field}
                  data-field={`throttle.${row}.${field}`}
                  label={t(`throttle.${field}`)}
                  placeholder={t('form.noLimit')}
                  value={rule[field]}
                  onChange={(value) => change({ [field]: value })}
                  hideControls
                  {...errorOf(`throttle.${row}.${field}`)}
                />
              ))}
            </SimpleGrid>
            <TextInput
              data-field={`throttle.${row}.description`}
              label={t('throttle.description')}
              value={rule.description}
              onChange={(event) => change({ description: event.currentTarget.value })}
              {...errorOf(`throttle.${row}.description`)}
            />
          </fieldset>
        )
      })}
      <FieldError {...errorOf('throttle.rules')} />
      <Button
        data-field="throttle.rules"
        variant="default"
        w="fit-content"
        leftSection={<Plus size={16} aria-hidden />}
        onClick={() => onChange([...rules, emptyRule(Math.max(-1, ...rules.map(({ id }) => id)) + 1)])}
      >
        {t('throttle.add')}
      </Button>
    </>
  )
}
