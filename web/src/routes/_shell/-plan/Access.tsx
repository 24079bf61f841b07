import { Card } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { onceOnline } from '#lib/online.ts'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import type { AccessProps } from './AccessParts.tsx'

const AccessParts = lazy(() => onceOnline(() => import('./AccessParts.tsx')))

/** How to get into a plan; loads after the rest of its page. */
export function Access(props: AccessProps) {
  return (
    <Suspense
      fallback={
        <Card>
          <RowsSkeleton rows={2} />
        </Card>
      }
    >
      <AccessParts {...props} />
    </Suspense>
  )
}
