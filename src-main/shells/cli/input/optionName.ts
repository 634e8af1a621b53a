/** Returns the option for a field of the contract: `--max-hops` for `maxHops`. */
export function optionName(field: string): string {
  return `--${kebabCase(field)}`
}

/** Converts `maxHops` to `max-hops`. */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
