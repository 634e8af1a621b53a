/** Requests in progress of each registered domain, so that a budget of objects is not exceeded by requests that run at the same
 *  time. */
import { domainOf } from '../model/urlKeys.ts'

/** The requests of one run. */
export interface DomainFetches {
  /** Counts a request for the URL as in progress until the function returned is called. */
  begin(url: string): () => void
  /** Returns the number of requests of the domain that are in progress. */
  count(domain: string): number
}

/** Starts with no request in progress. */
export function domainFetches(): DomainFetches {
  const inFlight = new Map<string, number>()
  return {
    begin(url) {
      const domain = domainOf(url)
      inFlight.set(domain, (inFlight.get(domain) ?? 0) + 1)
      return () => {
        const others = (inFlight.get(domain) ?? 1) - 1
        // Domains without a request are removed: a broad crawl meets hundreds of thousands.
        if (others > 0) inFlight.set(domain, others)
        else inFlight.delete(domain)
      }
    },
    count: (domain) => inFlight.get(domain) ?? 0,
  }
}
