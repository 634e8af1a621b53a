/** Saves the shown page as an image or a PDF with its provenance. Shows the path of the file, or why there is none. */
import { Code, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { FileText, Image } from 'lucide-react'
import { useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { pictureName } from '../../../src-main/contract/services/pictureName.ts'
import { pictureWidthPx, type Picture, type PictureForm } from '../../../src-main/contract/services/pictures.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { ToneNote } from '../../parts/ToneNote.tsx'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { shownTab, type Tab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'
import styles from './viewer.module.css'

interface PictureDialogProps {
  opened: boolean
  onClose: () => void
}

export function PictureDialog({ opened, onClose }: PictureDialogProps) {
  const t = useWords()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="min(680px, 92vw)"
      title={t('picture.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <TakePicture />
    </Modal>
  )
}

type Taking = { is: 'asked' } | { is: 'taking' } | { is: 'taken'; picture: Picture } | { is: 'refused'; fault: Fault }

function TakePicture() {
  const t = useWords()
  const { view, shell } = useSession()
  const tab = shownTab(useStore(view))
  const take = useTakePicture(tab)
  const [taking, setTaking] = useState<Taking>({ is: 'asked' })
  const form = useRef<PictureForm>('png')

  async function begin(chosen: PictureForm): Promise<void> {
    if (taking.is === 'taking') return
    form.current = chosen
    setTaking({ is: 'taking' })
    try {
      const picture = await take(chosen)
      setTaking(picture === null ? { is: 'asked' } : { is: 'taken', picture })
    } catch (error) {
      setTaking({ is: 'refused', fault: faultFrom(error) })
    }
  }

  // A shell that captures its own view does not know the capture time of the page.
  if (shell.takePicture && !tab.page?.captured) return <Text size="sm">{t('picture.nothing')}</Text>
  return (
    <Stack>
      <Text size="sm">{t(shell.takePicture ? 'picture.ofView' : 'picture.drawn')}</Text>
      <Group>
        <ActionButton
          needs="pictures.take"
          loading={taking.is === 'taking' && form.current === 'png'}
          leftSection={<Image size={16} aria-hidden />}
          onClick={() => void begin('png')}
          data-autofocus
        >
          {t('picture.png')}
        </ActionButton>
        <ActionButton
          needs="pictures.take"
          variant="default"
          loading={taking.is === 'taking' && form.current === 'pdf'}
          leftSection={<FileText size={16} aria-hidden />}
          onClick={() => void begin('pdf')}
        >
          {t('picture.pdf')}
        </ActionButton>
      </Group>
      {taking.is === 'taking' && (
        <Group gap="sm" role="status">
          <Loader size="sm" aria-hidden />
          <Text size="sm">{t('picture.taking')}</Text>
        </Group>
      )}
      {taking.is === 'refused' && <FaultNote fault={taking.fault} onRetry={() => void begin(form.current)} />}
      {taking.is === 'taken' && <Taken picture={taking.picture} />}
    </Stack>
  )
}

function Taken({ picture }: { picture: Picture }) {
  const t = useWords()
  const { bytes } = useFormats()
  const { path, url, captured, made, isCut, isLoaded } = picture
  return (
    <ToneNote tone={isCut || !isLoaded ? 'attention' : 'done'} title={t('picture.taken')}>
      <span className={styles.ownFact}>
        <Code block>{path}</Code>
        <CopyAction text={path} what={t('picture.path')} />
      </span>
      {isCut && <p className={styles.plainText}>{t('picture.cut')}</p>}
      {!isLoaded && <p className={styles.plainText}>{t('picture.notLoaded')}</p>}
      <div className={styles.pictureFacts}>
        <Facts
          facts={[
            { name: t('picture.url'), value: <span className="wrap">{url}</span> },
            { name: t('picture.captured'), value: `${timeUtc(captured)} UTC` },
            { name: t('picture.made'), value: `${timeUtc(made)} UTC` },
            { name: t('picture.bytes'), value: bytes(picture.bytes) },
          ]}
        />
      </div>
    </ToneNote>
  )
}

/** Resolves with null when the user cancels. */
function useTakePicture({ address, page }: Tab): (form: PictureForm) => Promise<Picture | null> {
  const { services, shell } = useSession()
  const url = address ?? ''
  return async (form) => {
    if (!shell.takePicture) return services.pictures.take({ url, form, ...shownWidth() })
    const captured = page?.captured
    const path = captured && (await shell.askWhere?.(pictureName({ url, captured, form })))
    return path ? shell.takePicture({ form, path, captured }) : null
  }
}

/** The width of the shown page, or of a usual window when the page is not shown. */
function shownWidth(): { widthPx?: number } {
  const width = document.querySelector('.archived-page iframe:not([hidden])')?.clientWidth ?? 0
  return width < pictureWidthPx.min ? {} : { widthPx: Math.min(width, pictureWidthPx.max) }
}
