/** The settings of the archive, the colour scheme of this window, and facts about the running engine. */
import { Alert, Checkbox, Group, SegmentedControl, TextInput, useMantineColorScheme } from '@mantine/core'
import { RotateCw, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import type { Setting } from '../../../src-main/contract/services/settings.ts'
import { Await } from '../../parts/Await.tsx'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { Section } from '../../parts/Section.tsx'
import { loadedFrom, loading, type Loaded } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { grouped } from '../../state/settings.ts'
import { isWord, useWords, type Translate } from '../../words/words.tsx'
import { ConnectionList } from './ConnectionList.tsx'
import { ConnectorList } from './ConnectorList.tsx'
import { OutputList } from './OutputList.tsx'
import { SectionLinks } from './SectionLinks.tsx'
import { idOfSetting, SettingField } from './SettingField.tsx'
import { everySetting, isEverySetting, isShown, type SettingFilter } from './settingSearch.ts'

/** `setting`: the setting to show first. */
export function SettingsScreen({ setting }: { setting: string | undefined }) {
  const t = useWords()
  const { settings: store } = useSession()
  const { settings, load } = useStore(store)
  const isReady = settings.is === 'ready'
  const [filter, setFilter] = useState(everySetting)
  const isWhole = isEverySetting(filter)
  useEffect(() => {
    if (!isReady || setting === undefined) return
    // After the window has scrolled to the top, as for every new screen.
    const frame = requestAnimationFrame(() =>
      document.getElementById(idOfSetting(setting))?.scrollIntoView({ block: 'center' }),
    )
    return () => cancelAnimationFrame(frame)
  }, [isReady, setting])
  return (
    <>
      <PageHead title={t('settings.title')} />
      {settings.is === 'ready' && <RestartNote settings={settings.value} />}
      <FilterFields filter={filter} onChange={setFilter} />
      {isWhole && <SectionLinks />}
      {isWhole && (
        <Section title={t('settings.look')}>
          <LookChoice />
        </Section>
      )}
      <Await of={settings} onRetry={() => void load()}>
        {(rows) => <Groups rows={rows} filter={filter} />}
      </Await>
      {isWhole && (
        <>
          <ConnectorList />
          <ConnectionList />
          <OutputList />
          <AboutBox />
        </>
      )}
    </>
  )
}

interface FilterFieldsProps {
  filter: SettingFilter
  onChange: (filter: SettingFilter) => void
}

function FilterFields({ filter, onChange }: FilterFieldsProps) {
  const t = useWords()
  return (
    <Group mb="xs">
      <TextInput
        aria-label={t('settings.find')}
        placeholder={t('settings.find')}
        leftSection={<Search size={16} aria-hidden />}
        w={320}
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.currentTarget.value })}
      />
      <Checkbox
        label={t('settings.changed')}
        checked={filter.isChangedOnly}
        onChange={(event) => onChange({ ...filter, isChangedOnly: event.currentTarget.checked })}
      />
    </Group>
  )
}

function Groups({ rows, filter }: { rows: readonly Setting[]; filter: SettingFilter }) {
  const t = useWords()
  const shown = grouped(rows)
    .map(([group, of]) => ({ title: groupTitle(t, group), group, of }))
    .map(({ title, group, of }) => ({ title, group, of: of.filter((setting) => isShown(setting, title, filter)) }))
    .filter(({ of }) => of.length > 0)
  if (shown.length === 0) return <EmptyState title={t('settings.noneFound')} text={t('settings.noneFound.text')} />
  return shown.map(({ title, group, of }) => (
    <Section key={group} title={title}>
      <div className="card">
        {of.map((setting) => (
          <SettingField key={setting.path} setting={setting} />
        ))}
      </div>
    </Section>
  ))
}

/** Names the settings that take effect at the next start, when one of them was changed since this start. */
function RestartNote({ settings }: { settings: readonly Setting[] }) {
  const t = useWords()
  const changed = settings.filter(({ needsRestart }) => needsRestart).map(({ path }) => path)
  if (changed.length === 0) return null
  return (
    <Alert color="yellow" icon={<RotateCw aria-hidden />} role="status" mb="md" title={t('settings.restart')}>
      {t('settings.restart.text', { count: changed.length, paths: changed.join(', ') })}
    </Alert>
  )
}

/** A group without a heading in `words/` gets its name in `loupe.toml`, which each of its settings shows too. */
function groupTitle(t: Translate, group: string): string {
  const id = `settings.group.${group}`
  return isWord(id) ? t(id) : group
}

const looks = ['auto', 'light', 'dark'] as const

/** The component library stores the choice in this browser, because it concerns this screen and not the archive. */
function LookChoice() {
  const t = useWords()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label={t('settings.look')}
      value={colorScheme}
      data={looks.map((look) => ({ value: look, label: t(`look.${look}`) }))}
      onChange={(value) => setColorScheme(looks.find((look) => look === value) ?? 'auto')}
    />
  )
}

type About = Awaited<ReturnType<Loupe['system']['about']>>

function AboutBox() {
  const t = useWords()
  const { services } = useSession()
  const [about, setAbout] = useState<Loaded<About>>(loading)
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    void loadedFrom(services.system.about({})).then(setAbout)
  }, [services, asked])
  return (
    <Section title={t('about.title')}>
      <Await of={about} onRetry={() => setAsked(asked + 1)}>
        {({ version, shell, archive, runtime, proxy, commandHost, commandUser, commandToken, certificate }) => (
          <div className="card">
            <Facts
              facts={[
                { name: t('about.version'), value: `${version} (${t(`about.shell.${shell}`)})` },
                { name: t('about.runtime'), value: runtime },
                { name: t('about.archive'), value: <Copied text={archive} what={t('about.archive')} /> },
                { name: t('about.proxy'), value: <Copied text={proxy} what={t('about.proxy')} /> },
                { name: t('about.commandHost'), value: commandHost },
                {
                  name: t('about.commandToken'),
                  value: <Copied text={commandToken} what={t('about.commandToken')} />,
                },
                {
                  name: t('about.commandProxy'),
                  value: (
                    <Copied text={`http://${commandUser}:${commandToken}@${proxy}`} what={t('about.commandProxy')} />
                  ),
                },
                {
                  name: t('about.certificate'),
                  value: <Copied text={certificate.path} what={t('about.certificate')} />,
                },
              ]}
            />
          </div>
        )}
      </Await>
    </Section>
  )
}

function Copied({ text, what }: { text: string; what: string }) {
  return (
    <span className="with-copy">
      <span className="mono wrap">{text}</span>
      <CopyAction text={text} what={what} />
    </span>
  )
}
