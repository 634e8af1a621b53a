/** One template: its versions, and its settings as a form or as TOML. */
import { Button, Group, SegmentedControl, Select, Text } from '@mantine/core'
import { Copy, Download, Pencil } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { TemplateDetails } from '../../../src-main/contract/services/templates.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { saveText } from '../../parts/csv.ts'
import { timeUtc } from '../../parts/formats.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { TemplateDialog, type TemplateDraft } from './TemplateDialog.tsx'
import { TemplateForm } from './TemplateForm.tsx'
import { TemplateToml } from './TemplateToml.tsx'

const views = ['form', 'toml'] as const

export function TemplateScreen({ name }: { name: string }) {
  const t = useWords()
  const { services } = useSession()
  const [version, setVersion] = useState<number | null>(null)
  const ask = useCallback(
    () => services.templates.show({ name, ...(version !== null && { version }) }),
    [services, name, version],
  )
  const [template, reload] = useLoaded(ask)
  useChanges(services.templates.changed, reload)
  return (
    <>
      <a className="dimmed" href={hrefOf({ place: 'harvests', tab: 'templates' })}>
        {t('templates.all')}
      </a>
      <Await of={template} onRetry={reload}>
        {(value) => <Details template={value} onVersion={setVersion} />}
      </Await>
    </>
  )
}

function Details({ template, onVersion }: { template: TemplateDetails; onVersion: (version: number | null) => void }) {
  const t = useWords()
  const { name, comments, shown, version, versions, toml } = template
  const [view, setView] = useState<(typeof views)[number]>('form')
  const [dialog, setDialog] = useState<TemplateDraft | null>(null)
  return (
    <>
      <PageHead
        title={t('templates.head', { name })}
        actions={
          <>
            <ActionButton
              needs="templates.edit"
              variant="default"
              leftSection={<Pencil size={16} aria-hidden />}
              onClick={() => setDialog({ name, comments, before: name })}
            >
              {t('templates.rename')}
            </ActionButton>
            <ActionButton
              needs="templates.add"
              variant="default"
              leftSection={<Copy size={16} aria-hidden />}
              onClick={() => setDialog({ name: '', comments, toml })}
            >
              {t('templates.copy')}
            </ActionButton>
            <Button
              variant="default"
              leftSection={<Download size={16} aria-hidden />}
              onClick={() => saveText(`${name}.toml`, toml, 'application/toml')}
            >
              {t('templates.download')}
            </Button>
          </>
        }
      />
      {comments !== '' && <Text mb="md">{comments}</Text>}
      <Group mb="md" align="end">
        <Select
          label={t('templates.version')}
          w={300}
          data={versions.map(({ version: each, made }) => ({
            value: String(each),
            label:
              made === null
                ? t('templates.version.builtIn', { version: each })
                : t('templates.version.made', { version: each, time: timeUtc(made) }),
          }))}
          value={String(shown)}
          allowDeselect={false}
          onChange={(value) => onVersion(value === String(version) ? null : Number(value))}
        />
        <SegmentedControl
          aria-label={t('templates.view')}
          data={views.map((each) => ({ value: each, label: t(`templates.view.${each}`) }))}
          value={view}
          onChange={(value) => setView(views.find((each) => each === value) ?? view)}
        />
      </Group>
      {shown !== version && <Text mb="sm">{t('templates.old', { shown, version })}</Text>}
      {view === 'form' ? (
        <TemplateForm key={`${name}/${shown}`} template={template} onSaved={() => onVersion(null)} />
      ) : (
        <TemplateToml key={`${name}/${shown}`} template={template} onSaved={() => onVersion(null)} />
      )}
      <TemplateDialog template={dialog} onClose={() => setDialog(null)} />
    </>
  )
}
