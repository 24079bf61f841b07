import { Stack, type StackProps, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { HeadingRow } from './HeadingRow.tsx'
import { SurfaceCard } from './SurfaceCard.tsx'

interface SectionCardProps extends Pick<StackProps, 'align' | 'gap' | 'maw'> {
  /** The target of links to this section. */
  id?: string | undefined
  titleId: string
  title: ReactNode
  /** At the end of the heading's line. */
  aside?: ReactNode
  children: ReactNode
}

export function SectionCard({ titleId, title, aside, gap = 'md', ...rest }: SectionCardProps) {
  const { align = 'stretch', maw, id, children } = rest
  const heading = (
    <Title order={2} size="h3" id={titleId}>
      {title}
    </Title>
  )
  return (
    <SurfaceCard component="section" aria-labelledby={titleId} maw={maw} {...(id && { id })}>
      <Stack gap={gap} align={align}>
        {aside === undefined ? heading : <HeadingRow aside={aside}>{heading}</HeadingRow>}
        {children}
      </Stack>
    </SurfaceCard>
  )
}
