/** What quick open offers: commands, screens and settings, which the interface knows, and jobs, harvests, domains, files and pages, which
 *  the engine finds. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loupe } from '../../src-main/contract/contract.ts'
import type { FoundName } from '../../src-main/contract/services/quickOpen.ts'
import type { Setting } from '../../src-main/contract/services/settings.ts'
import { nameRanker } from '../../src-main/contract/text/nameMatch.ts'
import { accessTabs, archiveTabs, harvestTabs, type Route } from '../routes/routes.ts'
import type { Translate, WordId } from '../words/words.tsx'
import type { CallName } from './callerRoles.ts'
import { dialogCalls, routeCall } from './commandCalls.ts'
import type { Dialog } from './dialogs.ts'
import { newestAnswer } from './newestAnswer.ts'

/** Groups of choices, in the order in which they are shown. */
export const quickGroups = ['command', 'job', 'harvest', 'domain', 'page', 'file', 'screen', 'setting'] as const
export type QuickGroup = (typeof quickGroups)[number]

/** What happens when a choice is made. `page`: the URL opens in a tab of the viewer. */
type QuickAction = { is: 'dialog'; dialog: Dialog } | { is: 'route'; route: Route } | { is: 'page'; url: string }

/** Something that can be opened. */
export interface QuickChoice {
  key: string
  group: QuickGroup
  label: string
  detail?: string
  does: QuickAction
}

/** Choices of one group that are shown. */
const shownPerGroup = 8

/** Dialogs that are commands, in the order of the menu. */
const commands: readonly { dialog: Dialog; name: WordId }[] = [
  { dialog: 'harvest', name: 'menu.harvest' },
  { dialog: 'import', name: 'menu.import' },
  { dialog: 'export', name: 'menu.export' },
  { dialog: 'checkMissing', name: 'menu.checkMissing' },
  { dialog: 'checkChecksums', name: 'menu.checkChecksums' },
  { dialog: 'spotCheck', name: 'menu.spotCheck' },
  { dialog: 'tasks', name: 'tasks.title' },
  { dialog: 'shortcuts', name: 'shortcuts.menu' },
]
/** Screens without tabs, in the order of the navigation. */
const screens = ['jobs', 'schedule', 'viewer', 'missing', 'search', 'plans', 'history', 'system', 'settings'] as const

/** Commands, screens and settings. */
export function ownChoices(t: Translate, settings: readonly Setting[]): QuickChoice[] {
  const screen = (route: Route, label: string, key: string): QuickChoice => {
    return { key: `screen ${key}`, group: 'screen', label, does: { is: 'route', route } }
  }
  return [
    ...commands.map(({ dialog, name }): QuickChoice => {
      return { key: `command ${dialog}`, group: 'command', label: t(name), does: { is: 'dialog', dialog } }
    }),
    ...screens.map((place) =>
      screen(place === 'viewer' || place === 'missing' ? { place, jobs: [] } : { place }, t(`rail.${place}`), place),
    ),
    ...harvestTabs.map((tab) =>
      screen({ place: 'harvests', tab }, `${t('rail.harvests')}: ${t(`harvests.tab.${tab}`)}`, `harvests ${tab}`),
    ),
    ...archiveTabs.map((tab) =>
      screen({ place: 'archive', tab }, `${t('rail.archive')}: ${t(`archive.tab.${tab}`)}`, `archive ${tab}`),
    ),
    ...accessTabs.map((tab) =>
      screen({ place: 'access', tab }, `${t('rail.access')}: ${t(`access.tab.${tab}`)}`, `access ${tab}`),
    ),
    ...settings.map(({ path, meaning }): QuickChoice => {
      const route: Route = { place: 'settings', setting: path }
      return { key: `setting ${path}`, group: 'setting', label: path, detail: meaning, does: { is: 'route', route } }
    }),
  ]
}

/** The call that a choice is for; undefined for a page, which is viewed. */
export function callOfChoice({ does }: QuickChoice): CallName | undefined {
  if (does.is === 'page') return undefined
  return does.is === 'dialog' ? dialogCalls[does.dialog] : routeCall(does.route)
}

/** Best first; `detail`: the text is a part of the detail. */
const ranks = ['begins', 'contains', 'detail', 'inOrder'] as const

/** Choices that match a text, best first. */
export function matching(choices: readonly QuickChoice[], text: string): QuickChoice[] {
  const typed = text.trim().toLowerCase()
  if (typed === '') return choices.filter(({ group }) => group === 'command')
  const rankOf = nameRanker(typed)
  const ranked = choices.map((choice) => {
    const rank = rankOf(choice.label.toLowerCase())
    const isInDetail = (rank ?? 'inOrder') === 'inOrder' && choice.detail?.toLowerCase().includes(typed)
    return { choice, rank: isInDetail ? 'detail' : rank }
  })
  return ranks.flatMap((rank) => ranked.filter((each) => each.rank === rank).map(({ choice }) => choice))
}

function choiceOfName({ kind, id, name }: FoundName, t: Translate): QuickChoice {
  const key = `${kind} ${id}`
  switch (kind) {
    case 'job':
      return choice(t('quickOpen.job', { job: id, name }), { place: 'job', job: id })
    case 'harvest':
      return choice(name, { place: 'harvest', harvest: id })
    case 'domain':
      return choice(name, { place: 'domain', domain: name })
    case 'file':
      return choice(name, { place: 'file', file: name })
  }
  function choice(label: string, route: Route): QuickChoice {
    return { key, group: kind, label, does: { is: 'route', route } }
  }
}

/** The choices by group, in the order of the groups; each group at most `shownPerGroup`. */
export function groupsOf(choices: readonly QuickChoice[]): { group: QuickGroup; choices: QuickChoice[] }[] {
  return quickGroups.flatMap((group) => {
    const own = choices.filter((choice) => choice.group === group).slice(0, shownPerGroup)
    return own.length === 0 ? [] : { group, choices: own }
  })
}

export interface QuickOpenState {
  text: string
  /** What the engine found for this text or an earlier one. */
  found: readonly FoundName[]
  /** URLs of pages of the open view. */
  pages: readonly string[]
  /** Not all names have been read yet. */
  isReading: boolean
  ask(text: string): Promise<void>
}

type Services = { quickOpen: Loupe['quickOpen']; viewer: Pick<Loupe['viewer'], 'suggest'> }

/** Makes the store of a window. */
export function makeQuickOpen({ quickOpen, viewer }: Services): StoreApi<QuickOpenState> {
  const answer = newestAnswer()
  return createStore<QuickOpenState>()((set) => ({
    ...{ text: '', found: [], pages: [], isReading: false },
    async ask(text) {
      set({ text })
      const isNewest = answer()
      const [{ rows, isComplete }, pages] = await Promise.all([
        quickOpen.find({ text: text.slice(0, 200), limit: 24 }),
        text.trim() === '' ? [] : viewer.suggest({ text, limit: shownPerGroup }),
      ])
      if (isNewest()) set({ found: rows, pages: pages.map(({ url }) => url), isReading: !isComplete })
    },
  }))
}

/** Everything that is offered for the text of the store. What was found for an earlier text stays while it fits. */
export function offered(
  { text, found, pages }: Pick<QuickOpenState, 'text' | 'found' | 'pages'>,
  own: readonly QuickChoice[],
  t: Translate,
): ReturnType<typeof groupsOf> {
  const rankOf = nameRanker(text.trim().toLowerCase())
  const others = [
    ...found.map((name) => choiceOfName(name, t)),
    ...pages.map((url): QuickChoice => {
      return { key: `page ${url}`, group: 'page', label: url, does: { is: 'page', url } }
    }),
  ]
  return groupsOf([...matching(own, text), ...others.filter(({ label }) => rankOf(label.toLowerCase()) !== undefined)])
}
