/** SURT prefixes: `com,example)/private/`, or `com,example` for the host and every host below it. */

/** Whether a key (`surt`) is at or below a prefix. A prefix that ends inside a host name must end at a label, so `com,exam` does not match
 *  `com,example`. The empty prefix matches every key. */
export function isBelowPrefix(key: string, prefix: string): boolean {
  if (!key.startsWith(prefix)) return false
  if (prefix === '' || prefix.includes(')') || prefix.endsWith(',') || key.length === prefix.length) return true
  return /^[,):]/.test(key.slice(prefix.length))
}
