/** Text of the list of keys. */
export const shortcutWords = {
  shortcuts: 'Keyboard shortcuts',
  'shortcuts.menu': 'Keyboard shortcuts…',
  'shortcuts.menu.key': '?',
  'shortcuts.group.everywhere': 'Everywhere',
  'shortcuts.group.viewer': 'Viewer',
  'shortcuts.group.lists': 'Lists with checkboxes',
  'shortcuts.group.forms': 'Forms',
  'shortcuts.openInViewer': 'Open the selected jobs, or the job shown, in the viewer',
  'shortcuts.screens': 'Jobs, viewer, archive',
  'shortcuts.close': 'Close a dialog',
  'shortcuts.previousTab': 'Previous tab',
  'shortcuts.reload': 'Reload the page',
  'shortcuts.backForward': 'Back, forward',
  'shortcuts.selectAll': 'Select all rows shown',
  'shortcuts.selectRange': 'Select the rows up to this one',
  'shortcuts.submit': 'Submit, from any field',
} as const
