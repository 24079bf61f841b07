import { Card } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { AccessCardProps } from '#features/trust/access/AccessCard.tsx'
import { onceOnline } from '#lib/online.ts'
import { RowsSkeleton } from '#ui/Skeletons.tsx'

const AccessCard = lazy(() => onceOnline(() => import('#features/trust/access/AccessCard.tsx')))

/** A plan's access card; loaded after the rest of the page. */
export function Access(props: AccessCardProps) {
  return (
    <Suspense
      fallback={
        <Card>
          <RowsSkeleton rows={2} />
        </Card>
      }
    >
      <AccessCard {...props} />
    </Suspense>
  )
}
