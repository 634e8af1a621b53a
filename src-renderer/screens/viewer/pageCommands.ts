/** Commands for the pages of the viewer in Electron's menu. In a browser window keys and buttons do the same. */

export const pageCommands = [
  'newTab',
  'closeTab',
  'nextTab',
  'previousTab',
  'reload',
  'back',
  'forward',
  'find',
  'picture',
] as const
export type PageCommand = (typeof pageCommands)[number]

export function isPageCommand(name: string): name is PageCommand {
  return pageCommands.some((command) => command === name)
}
