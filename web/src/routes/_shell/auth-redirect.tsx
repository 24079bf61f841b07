import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AuthRedirectScreen } from '#features/account/auth/AuthRedirectScreen.tsx'
import { rememberTarget } from '#features/account/auth/post-login.ts'
import { given } from '#lib/search.ts'

/** `next` is the page to open after sign-in. A mailed link carries it, since the link may open in a new tab. */
const searchSchema = z.object({ next: given(z.string()) })

export const Route = createFileRoute('/_shell/auth-redirect')({
  validateSearch: searchSchema,
  beforeLoad: ({ search, preload }) => {
    if (!preload) rememberTarget(search.next)
  },
  component: AuthRedirectScreen,
})
