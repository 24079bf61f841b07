import { createFileRoute, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { marketSearchSchema } from '#features/plans/browse/market-search.ts'

/** The path that the specification gives the marketplace; redirects to /plans. */
export const Route = createFileRoute('/_shell/_signed-in/available-subscriptions')({
  // Older links call the service `provider`.
  validateSearch: z.extend(marketSearchSchema, { provider: marketSearchSchema.shape.service }),
  beforeLoad: ({ search: { provider, ...search } }) => {
    throw redirect({ to: '/plans', search: { ...search, service: search.service ?? provider } })
  },
})
