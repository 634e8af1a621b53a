/** Saves the report on the quality of a job: a page to print, a table, or data. */
import { Button } from '@mantine/core'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import type { reportFormats } from '../../../src-main/contract/shapes/choices.ts'
import { saveText } from '../../parts/csv.ts'
import { showNotice } from '../../parts/notice.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

type Format = (typeof reportFormats)[number]

/** The page to print comes first. */
const formats = ['html', 'csv', 'json'] as const satisfies readonly Format[]

export function ReportButtons({ job }: { job: number }) {
  const t = useWords()
  const { services } = useSession()
  const [making, setMaking] = useState<Format | null>(null)

  async function save(format: Format): Promise<void> {
    setMaking(format)
    try {
      const { name, text, mediaType } = await services.qualityReports.make({ job, format })
      saveText(name, text, mediaType)
    } catch (error) {
      showNotice({ message: faultFrom(error).message, isError: true })
    } finally {
      setMaking(null)
    }
  }

  return (
    <Button.Group aria-label={t('qualityReport.title')}>
      {formats.map((format) => (
        <Button
          key={format}
          variant="default"
          loading={making === format}
          leftSection={format === 'html' ? <FileText size={16} aria-hidden /> : undefined}
          onClick={() => void save(format)}
        >
          {t(`qualityReport.${format}`)}
        </Button>
      ))}
    </Button.Group>
  )
}
