/** The beginning of a page as its last page audit saw it; nothing where none did. */
import { useCallback } from 'react'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'

interface PageThumbnailProps {
  job: number
  url: string
  className: string | undefined
}

export function PageThumbnail({ job, url, className }: PageThumbnailProps) {
  const t = useWords()
  const { services } = useSession()
  const [found] = useLoaded(useCallback(() => services.pageAudits.thumbnail({ job, url }), [services, job, url]))
  if (found.is !== 'ready' || found.value === null) return null
  const { mediaType, base64 } = found.value
  return <img className={className} src={`data:${mediaType};base64,${base64}`} alt={t('thumbnail.of', { url })} />
}
