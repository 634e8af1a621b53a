/** Groups of URLs by their path: the folder, and the extension of the file. */

/** Characters of a group: longer folders have no meaning for users, and are cut. */
const charactersMax = 200
/** A longer "extension" is part of a name. */
const extension = /^[^.].*(\.[A-Za-z0-9]{1,8})$/

/** Returns the host of a URL, with its port unless that is the usual one; empty for a text that is not a URL. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}

/** Returns the folder and the extension of a URL, such as `/img/*.png`. A path that ends with a slash is its own group. */
export function pathGroupOf(url: string): string {
  const path = URL.parse(url)?.pathname ?? ''
  const at = path.lastIndexOf('/') + 1
  const [folder, name] = [path.slice(0, at), path.slice(at)]
  const kept = folder.length > charactersMax ? `${folder.slice(0, charactersMax)}…/` : folder
  return name === '' ? kept : `${kept}*${extension.exec(name)?.[1] ?? ''}`
}
