/** Links between the hosts of a job: counted when somebody asks, as a picture, as a table, and as files for programs that draw graphs. */
import { Button, Group } from '@mantine/core'
import { Download, Share2 } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import type { LinkGraph } from '../../../src-main/contract/services/linkGraph.ts'
import { linkGraphFormats } from '../../../src-main/contract/shapes/choices.ts'
import { graphFileName, graphText } from '../../../src-main/contract/services/linkGraphText.ts'
import { Await } from '../../parts/Await.tsx'
import { saveText } from '../../parts/csv.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { LinkPicture } from './LinkPicture.tsx'

export function JobLinks({ job }: { job: number }) {
  const t = useWords()
  // Counting may take seconds, and few who look at a job want to see its links.
  const [isWanted, setWanted] = useState(false)
  return (
    <Section title={t('job.links')}>
      {isWanted ? (
        <CountedLinks job={job} />
      ) : (
        <Button variant="default" leftSection={<Share2 size={16} aria-hidden />} onClick={() => setWanted(true)}>
          {t('job.links.show')}
        </Button>
      )}
    </Section>
  )
}

function CountedLinks({ job }: { job: number }) {
  const { services } = useSession()
  const [graph, reload] = useLoaded(useCallback(() => services.history.linkGraph({ job }), [services, job]))
  return (
    <Await of={graph} onRetry={reload}>
      {(found) => <Links graph={found} />}
    </Await>
  )
}

function Links({ graph }: { graph: LinkGraph }) {
  const t = useWords()
  const { count } = useFormats()
  const columns = useColumns()
  if (graph.edges.length === 0) return <EmptyState title={t('job.links.none')} text={t('job.links.none.text')} />
  return (
    <>
      <Group justify="space-between" mb="sm" gap="xs">
        <span className="dimmed">{t(`job.links.${graph.links}`)}</span>
        <Group gap="xs">
          {linkGraphFormats.map((format) => (
            <Button
              key={format}
              size="xs"
              variant="default"
              leftSection={<Download size={14} aria-hidden />}
              onClick={() => saveText(graphFileName(graph, format), graphText(graph, format), 'application/xml')}
            >
              {t(`job.links.save.${format}`)}
            </Button>
          ))}
        </Group>
      </Group>
      <LinkPicture graph={graph} />
      <div className="section">
        <Table
          label={t('job.links')}
          rows={graph.edges}
          columns={columns}
          rowKey={({ source, target }) => `${source} ${target}`}
          heightMax={360}
        />
      </div>
      {graph.edgesLeftOut > 0 && (
        <p className="dimmed">{t('job.links.leftOut', { count: count(graph.edgesLeftOut) })}</p>
      )}
    </>
  )
}

function useColumns(): Column<LinkGraph['edges'][number]>[] {
  const t = useWords()
  const { count } = useFormats()
  return useMemo(
    () => [
      { id: 'source', head: t('job.links.from'), value: ({ source }) => source },
      { id: 'target', head: t('job.links.to'), value: ({ target }) => target },
      {
        ...{ id: 'links', head: t('job.links.count'), numeric: true, width: 130 },
        value: ({ links }) => links,
        cell: ({ links }) => count(links),
      },
    ],
    [t, count],
  )
}
