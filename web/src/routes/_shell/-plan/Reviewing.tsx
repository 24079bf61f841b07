import { lazy, Suspense } from 'react'
import { onceOnline } from '#lib/online.ts'

const ReviewsToWrite = lazy(async () => ({
  default: (await onceOnline(() => import('#features/reviews/ReviewsToWrite.tsx'))).ReviewsToWrite,
}))

/** Whom of a plan one may review; loads after the rest of its page. */
export function Reviewing({ planId }: { planId: string }) {
  return (
    <Suspense>
      <ReviewsToWrite planId={planId} />
    </Suspense>
  )
}
