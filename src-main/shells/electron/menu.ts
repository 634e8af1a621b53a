/**
 * The menu bar as data: the label of each item, its key, and its action. `nativeMenu.ts` builds Electron's menu from it. An action calls
 * the contract, shows a screen or opens a dialog; the menu knows nothing else.
 */

import { textFor } from '../../contract/words/render.ts'

/** The action of an item. Routes are those of the interface, without `#`. */
export type MenuAction =
  | { kind: 'route'; route: string }
  | { kind: 'call'; name: string; input: unknown }
  /** Opens one of the interface's dialogs over the current screen, or acts on the pages of the viewer. */
  | { kind: 'command'; name: DialogCommand | 'openInViewer' | PageCommandName }
  /** A standard action of every application: copy, quit, full screen. */
  | { kind: 'role'; role: Role }
  | { kind: 'separator' }

/** Dialogs of the interface that can be opened over any screen. */
type DialogCommand =
  | 'harvest'
  | 'import'
  | 'export'
  | 'checkMissing'
  | 'checkChecksums'
  | 'spotCheck'
  | 'quickOpen'
  | 'shortcuts'
/** Names of the commands for pages. `pageCommands.ts` of the viewer's screen has the same; a test compares them. */
type PageCommandName =
  | 'newTab'
  | 'closeTab'
  | 'nextTab'
  | 'previousTab'
  | 'reload'
  | 'back'
  | 'forward'
  | 'find'
  | 'picture'

/** Names of Electron's standard actions. */
export type Role =
  | 'about'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide'
  | 'quit'
  | 'close'
  | 'minimize'
  | 'zoom'
  | 'front'
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'selectAll'
  | 'resetZoom'
  | 'zoomIn'
  | 'zoomOut'
  | 'togglefullscreen'
  | 'toggleDevTools'

/** An item of a menu. `accelerator` is its key in Electron's notation, such as `CommandOrControl+N`. */
export interface MenuItem {
  label: string
  accelerator?: string
  does: MenuAction
}

/** A menu of the bar. */
export interface Menu {
  label: string
  items: readonly MenuItem[]
}

const line: MenuItem = { label: '', does: { kind: 'separator' } }
const role = (name: Role, label = ''): MenuItem => ({ label, does: { kind: 'role', role: name } })
const route = (label: string, where: string, accelerator?: string): MenuItem => ({
  label,
  does: { kind: 'route', route: where },
  ...(accelerator ? { accelerator } : {}),
})
const call = (label: string, name: string, input: unknown): MenuItem => ({ label, does: { kind: 'call', name, input } })
const command = (
  label: string,
  name: Extract<MenuAction, { kind: 'command' }>['name'],
  accelerator?: string,
): MenuItem => ({
  label,
  does: { kind: 'command', name },
  ...(accelerator ? { accelerator } : {}),
})

/** Returns the menu bar of a platform. */
export function menus(platform: NodeJS.Platform): Menu[] {
  const mac = platform === 'darwin'
  const application: Menu = {
    label: 'Loupe',
    items: [
      role('about'),
      line,
      route(textFor('menu.settings'), '/settings', 'Command+,'),
      line,
      role('services'),
      line,
      role('hide'),
      role('hideOthers'),
      role('unhide'),
      line,
      role('quit'),
    ],
  }
  const file: Menu = {
    label: textFor('menu.file'),
    items: [
      command(textFor('menu.newHarvest'), 'harvest', 'CommandOrControl+N'),
      command(textFor('menu.import'), 'import', 'CommandOrControl+I'),
      command(textFor('menu.export'), 'export', 'CommandOrControl+E'),
      command(textFor('menu.openInViewer'), 'openInViewer', 'CommandOrControl+O'),
      command(textFor('menu.quickOpen'), 'quickOpen', 'CommandOrControl+K'),
      line,
      // The usual key for this closes a tab, as in every browser.
      ...(mac
        ? [{ ...role('close'), accelerator: 'Command+Shift+W' }]
        : [route(textFor('menu.settings'), '/settings', 'Control+,'), line, role('quit')]),
    ],
  }
  return [...(mac ? [application] : []), file, edit, view, page(mac), archive, ...(mac ? [windowMenu] : []), help(mac)]
}

const edit: Menu = {
  label: textFor('menu.edit'),
  items: [role('undo'), role('redo'), line, role('cut'), role('copy'), role('paste'), role('selectAll')],
}

const view: Menu = {
  label: textFor('menu.view'),
  items: [
    route(textFor('menu.jobs'), '/jobs', 'CommandOrControl+1'),
    route(textFor('menu.viewer'), '/viewer', 'CommandOrControl+2'),
    route(textFor('menu.archive'), '/archive', 'CommandOrControl+3'),
    route(textFor('menu.access'), '/access'),
    line,
    role('resetZoom'),
    role('zoomIn'),
    role('zoomOut'),
    role('togglefullscreen'),
    line,
    role('toggleDevTools'),
  ],
}

/** The menu of the viewer's pages; on other screens its items do nothing. */
function page(mac: boolean): Menu {
  return {
    label: textFor('menu.page'),
    items: [
      command(textFor('menu.newTab'), 'newTab', 'CommandOrControl+T'),
      command(textFor('menu.closeTab'), 'closeTab', 'CommandOrControl+W'),
      command(textFor('menu.nextTab'), 'nextTab', 'Control+Tab'),
      command(textFor('menu.previousTab'), 'previousTab', 'Control+Shift+Tab'),
      line,
      command(textFor('menu.back'), 'back', mac ? 'Command+[' : 'Alt+Left'),
      command(textFor('menu.forward'), 'forward', mac ? 'Command+]' : 'Alt+Right'),
      command(textFor('menu.reload'), 'reload', 'CommandOrControl+R'),
      line,
      command(textFor('menu.findInPage'), 'find', 'CommandOrControl+F'),
      command(textFor('menu.pictureOfThisPage'), 'picture'),
    ],
  }
}

/** A check is started in its dialog, which states its cost; the rest are parts of the archive's screen. */
const archive: Menu = {
  label: textFor('menu.archive'),
  items: [
    command(textFor('menu.checkForMissingFiles'), 'checkMissing', 'CommandOrControl+Shift+M'),
    command(textFor('menu.checkAllChecksums'), 'checkChecksums', 'CommandOrControl+Shift+K'),
    command(textFor('menu.spotCheck'), 'spotCheck', 'CommandOrControl+Shift+O'),
    line,
    route(textFor('menu.repair'), '/archive/repair', 'CommandOrControl+Shift+R'),
    route(textFor('menu.attic'), '/archive/attic', 'CommandOrControl+Shift+T'),
    line,
    route(textFor('menu.preservationReport'), '/archive/report', 'CommandOrControl+Shift+P'),
    route(textFor('menu.auditLog'), '/archive/audit', 'CommandOrControl+Shift+A'),
    line,
    route(textFor('menu.replicas'), '/archive'),
    route(textFor('menu.files'), '/archive/files'),
  ],
}

const windowMenu: Menu = { label: textFor('menu.window'), items: [role('minimize'), role('zoom'), line, role('front')] }

function help(mac: boolean): Menu {
  return {
    label: textFor('menu.help'),
    items: [
      call(textFor('menu.openTheSampleHarvest'), 'harvests.openSample', {}),
      // Its key, `?`, is handled by the interface, because it is text in a field.
      command(textFor('menu.shortcuts'), 'shortcuts'),
      ...(mac ? [] : [line, role('about', textFor('menu.aboutLoupe'))]),
    ],
  }
}
