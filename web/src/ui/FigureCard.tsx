import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { SurfaceCard } from './SurfaceCard.tsx'

interface FigureCardProps {
  label: string
  figure: ReactNode
  /** What the figure is made of, in a few words. */
  children?: ReactNode
}

/** One large figure below its label. */
export function FigureCard({ label, figure, children }: FigureCardProps) {
  return (
    <SurfaceCard>
      <dt>
        <Text component="span" size="sm" c="dimmed" fw={550}>
          {label}
        </Text>
      </dt>
      <dd style={{ margin: 0 }}>
        <Text
          component="span"
          fz={26}
          fw={650}
          display="block"
          style={{ fontVariantNumeric: 'tabular-nums' }}
        >
          {figure}
        </Text>
        {children && (
          <Text component="span" size="sm" c="dimmed">
            {children}
          </Text>
        )}
      </dd>
    </SurfaceCard>
  )
}
