/** Turns a text into a sentence. */

/** Capitalises the first letter and adds a full stop if there is none: messages of replicas and disks have neither. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
