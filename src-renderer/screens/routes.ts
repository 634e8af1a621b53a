/** Places of the interface as addresses in the fragment, so that back, forward and bookmarks work in both shells. */

export type Route =
  | { place: 'start' }
  | { place: 'jobs' }
  | { place: 'job'; job: number }
  /** `jobs`: what to open at once, when one comes from a job's page. */
  | { place: 'viewer'; jobs: number[] }
  | { place: 'archive' }
  | { place: 'settings' }

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [place, argument] = path.split('/')
  switch (place) {
    case 'jobs': {
      const job = idOf(argument)
      return job === undefined ? { place: 'jobs' } : { place: 'job', job }
    }
    case 'viewer':
      return {
        place: 'viewer',
        jobs: (new URLSearchParams(query).get('jobs') ?? '').split(',').flatMap((id) => idOf(id) ?? []),
      }
    case 'archive':
      return { place: 'archive' }
    case 'settings':
      return { place: 'settings' }
    default:
      return { place: 'start' }
  }
}

export function hrefOf(route: Route): string {
  switch (route.place) {
    case 'start':
      return '#/'
    case 'job':
      return `#/jobs/${route.job}`
    case 'viewer':
      return route.jobs.length > 0 ? `#/viewer?jobs=${route.jobs.join(',')}` : '#/viewer'
    default:
      return `#/${route.place}`
  }
}

export function goTo(route: Route): void {
  window.location.hash = hrefOf(route)
}

function idOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}
