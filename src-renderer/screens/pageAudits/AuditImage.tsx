/** A picture of an audited page. */
import { useMemo } from 'react'
import type { AuditPicture } from '../../../src-main/contract/services/pageAudits.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

interface AuditImageProps {
  page: number
  of: AuditPicture
  alt: string
  className: string | undefined
}

export function AuditImage({ page, of, alt, className }: AuditImageProps) {
  const t = useWords()
  const { services } = useSession()
  const [picture] = useLoaded(useMemo(() => () => services.pageAudits.picture({ page, of }), [services, page, of]))
  if (picture.is === 'refused') return <span className="dimmed">{t('pageAudits.noPicture')}</span>
  if (picture.is !== 'ready') return <span className={className} />
  const { mediaType, base64 } = picture.value
  return <img className={className} src={`data:${mediaType};base64,${base64}`} alt={alt} />
}
