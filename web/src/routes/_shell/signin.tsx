import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'

export const Route = createFileRoute('/_shell/signin')({
  validateSearch: z.object({
    redirect: z.string().optional(),
    from: z.string().optional(),
    success: z.coerce.boolean().optional(),
  }),
})
