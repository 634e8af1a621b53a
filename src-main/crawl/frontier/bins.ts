/** The bins of a document: what its turn is counted and throttled by. */

/** The name of the host, whatever scheme and port; an address that has none falls into the bin without a name. */
export function hostBins(url: string): readonly string[] {
  return [URL.parse(url)?.hostname ?? '']
}
