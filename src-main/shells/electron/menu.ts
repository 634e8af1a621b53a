/**
 * The menu bar as data: the label of each item, its key, and its action. `nativeMenu.ts` builds Electron's menu from it. An action calls
 * the contract, shows a screen or opens a dialog; the menu knows nothing else.
 */

/** The action of an item. Routes are those of the interface, without `#`. */
export type MenuAction =
  | { kind: 'route'; route: string }
  | { kind: 'call'; name: string; input: unknown }
  /** Opens one of the interface's dialogs over the current screen, or acts on the pages of the viewer. */
  | { kind: 'command'; name: DialogCommand | PageCommandName }
  /** A standard action of every application: copy, quit, full screen. */
  | { kind: 'role'; role: Role }
  | { kind: 'separator' }

/** Dialogs of the interface that can be opened over any screen. */
type DialogCommand = 'harvest' | 'import' | 'export' | 'checkMissing' | 'checkChecksums' | 'spotCheck'
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
      route('Settings…', '/settings', 'Command+,'),
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
    label: 'File',
    items: [
      command('New harvest…', 'harvest', 'CommandOrControl+N'),
      command('Import…', 'import', 'CommandOrControl+I'),
      command('Export…', 'export', 'CommandOrControl+E'),
      line,
      // The usual key for this closes a tab, as in every browser.
      ...(mac
        ? [{ ...role('close'), accelerator: 'Command+Shift+W' }]
        : [route('Settings…', '/settings', 'Control+,'), line, role('quit')]),
    ],
  }
  return [...(mac ? [application] : []), file, edit, view, page(mac), archive, ...(mac ? [windowMenu] : []), help(mac)]
}

const edit: Menu = {
  label: 'Edit',
  items: [role('undo'), role('redo'), line, role('cut'), role('copy'), role('paste'), role('selectAll')],
}

const view: Menu = {
  label: 'View',
  items: [
    route('Jobs', '/jobs', 'CommandOrControl+1'),
    route('Viewer', '/viewer', 'CommandOrControl+2'),
    route('Archive', '/archive', 'CommandOrControl+3'),
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
    label: 'Page',
    items: [
      command('New tab', 'newTab', 'CommandOrControl+T'),
      command('Close tab', 'closeTab', 'CommandOrControl+W'),
      command('Next tab', 'nextTab', 'Control+Tab'),
      command('Previous tab', 'previousTab', 'Control+Shift+Tab'),
      line,
      command('Back', 'back', mac ? 'Command+[' : 'Alt+Left'),
      command('Forward', 'forward', mac ? 'Command+]' : 'Alt+Right'),
      command('Reload', 'reload', 'CommandOrControl+R'),
      line,
      command('Find in page…', 'find', 'CommandOrControl+F'),
      command('Picture of this page…', 'picture'),
    ],
  }
}

/** A check is started in its dialog, which states its cost; the rest are parts of the archive's screen. */
const archive: Menu = {
  label: 'Archive',
  items: [
    command('Check for missing files', 'checkMissing', 'CommandOrControl+Shift+M'),
    command('Check all checksums', 'checkChecksums', 'CommandOrControl+Shift+K'),
    command('Spot check…', 'spotCheck', 'CommandOrControl+Shift+O'),
    line,
    route('Repair…', '/archive/repair', 'CommandOrControl+Shift+R'),
    route('Attic', '/archive/attic', 'CommandOrControl+Shift+T'),
    line,
    route('Preservation report', '/archive/report', 'CommandOrControl+Shift+P'),
    route('Audit log', '/archive/audit', 'CommandOrControl+Shift+A'),
    line,
    route('Replicas', '/archive'),
    route('Files', '/archive/files'),
  ],
}

const windowMenu: Menu = { label: 'Window', items: [role('minimize'), role('zoom'), line, role('front')] }

function help(mac: boolean): Menu {
  return {
    label: 'Help',
    items: [
      call('Open the sample harvest', 'harvests.openSample', {}),
      ...(mac ? [] : [line, role('about', 'About Loupe')]),
    ],
  }
}
