import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AuthRedirectScreen } from '#features/account/auth/AuthRedirectScreen.tsx'
import { rememberTarget } from '#features/account/auth/post-login.ts'

/** A link from a mail may open in a new tab, so it carries where the person was going. */
const searchSchema = z.object({ next: z.catch(z.optional(z.string()), undefined) })

export const Route = createFileRoute('/_shell/auth-redirect')({
  validateSearch: searchSchema,
  beforeLoad: ({ search, preload }) => {
    if (!preload) rememberTarget(search.next)
  },
  component: AuthRedirectScreen,
})
