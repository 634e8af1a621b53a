/** How it is said, wherever Loupe says it, that files are lost. */

/** Without its stop: the names follow, or nothing does. */
export function lostText(total: number): string {
  return `${total} ${total === 1 ? 'file is' : 'files are'} lost: no replica has a good copy`
}
