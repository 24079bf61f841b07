import { Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { SurfaceCard } from './SurfaceCard.tsx'

interface SettingsCardProps {
  titleId: string
  title: string
  align?: 'stretch' | 'flex-start'
  /** For links that lead right here. */
  id?: string
  children: ReactNode
}

/** One part of a settings page, under its heading. */
export function SettingsCard({ titleId, title, align = 'stretch', children, ...card }: SettingsCardProps) {
  return (
    <SurfaceCard component="section" aria-labelledby={titleId} {...card}>
      <Stack gap="md" align={align}>
        <Title order={2} id={titleId}>
          {title}
        </Title>
        {children}
      </Stack>
    </SurfaceCard>
  )
}
